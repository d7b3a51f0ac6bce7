"""Training steps in JAX, on whatever JAX_PLATFORMS says."""
import sys

import protocol

try:
    import jax
    import jax.numpy as jnp
    from jax import lax
    jax.devices()
except Exception as error:  # not installed, or no such platform
    protocol.missing(error)

BATCH = 128
key = jax.random.PRNGKey(0)


def glorot(shape, fan_in, fan_out):
    limit = (6 / (fan_in + fan_out)) ** 0.5
    return jax.random.uniform(key, shape, jnp.float32, -limit, limit)


def dense(p, x):
    return x @ p[0] + p[1]


def conv(p, x):
    return lax.conv_general_dilated(x, p[0], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + p[1]


def cnn(params, x):
    x = jax.nn.relu(conv(params[0], x))
    x = jax.nn.relu(conv(params[1], x))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = jax.nn.relu(dense(params[2], x.reshape(BATCH, -1)))
    return dense(params[3], x)


def mlp(params, x):
    x = jax.nn.relu(dense(params[0], x.reshape(BATCH, -1)))
    x = jax.nn.relu(dense(params[1], x))
    return dense(params[2], x)


def layer(shape):
    fan = shape[0] * shape[1] if len(shape) == 4 else 1
    return [glorot(shape, fan * shape[-2], fan * shape[-1]), jnp.zeros(shape[-1])]


name = sys.argv[1]
model = {"cnn": cnn, "mlp": mlp}[name]
shapes = {"cnn": [(3, 3, 1, 32), (3, 3, 32, 64), (14 * 14 * 64, 128), (128, 10)],
          "mlp": [(784, 512), (512, 512), (512, 10)]}[name]
params = [layer(shape) for shape in shapes]
image = jax.random.uniform(key, (BATCH, 28, 28, 1), jnp.float32)
label = jnp.arange(BATCH) % 10


def loss(params):
    log_probabilities = jax.nn.log_softmax(model(params, image))
    return -jnp.mean(jnp.take_along_axis(log_probabilities, label[:, None], axis=1))


def update(params):
    value, gradient = jax.value_and_grad(loss)(params)
    return jax.tree_util.tree_map(lambda p, g: p - 0.01 * g, params, gradient), value


step = jax.jit(update, donate_argnums=0)


def run():
    global params, value
    params, value = step(params)


protocol.serve(run, lambda: jax.block_until_ready((params, value)))
