"""Training steps in TensorFlow, compiled as a tf.function."""
import sys

import protocol

try:
    import tensorflow as tf
except Exception as error:
    protocol.missing(error)

BATCH = 128
tf.random.set_seed(0)


def layer(*shape):
    fan = shape[0] * shape[1] if len(shape) == 4 else 1
    limit = (6 / (fan * (shape[-2] + shape[-1]))) ** 0.5
    return tf.Variable(tf.random.uniform(shape, -limit, limit)), tf.Variable(tf.zeros(shape[-1]))


if sys.argv[1] == "cnn":
    layers = [layer(3, 3, 1, 32), layer(3, 3, 32, 64), layer(14 * 14 * 64, 128), layer(128, 10)]
else:
    layers = [layer(784, 512), layer(512, 512), layer(512, 10)]
image, label = tf.random.uniform((BATCH, 28, 28, 1)), tf.range(BATCH) % 10


def model(x):
    for i, (kernel, bias) in enumerate(layers):
        if len(kernel.shape) == 4:
            x = tf.nn.conv2d(x, kernel, 1, "SAME") + bias
        else:
            if len(x.shape) == 4:
                x = tf.reshape(tf.nn.max_pool2d(x, 2, 2, "VALID") if x.shape[-1] > 1 else x, (BATCH, -1))
            x = x @ kernel + bias
        if i + 1 < len(layers):
            x = tf.nn.relu(x)
    return x


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(label, model(image)))
    variables = [v for pair in layers for v in pair]
    for variable, gradient in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(0.01 * gradient)
    return loss


last = None


def run():
    global last
    last = step()


protocol.serve(run, lambda: last.numpy())
