// What the environment variable REPLICATOR_DUMP asks for: every step, before and after rewriting, as text and pictures.
// docs/rewriting.md lists the files. Nothing here throws: what cannot be written is a warning.
#pragma once

#include <string>

#include "replicate/program.h"
#include "replicate/replica_step.h"

namespace replicator {

// The folder for the files of the next step, "$REPLICATOR_DUMP/step_000", which is made; steps are numbered in the
// order in which the process builds them. Empty when REPLICATOR_DUMP is unset or empty, or the folder cannot be made.
// An empty folder makes all other functions do nothing.
std::string NextDumpFolder();

void WriteDump(const std::string& folder, const std::string& name, const std::string& text);

// class_0.txt, class_0.svg, ...: the graph of each class of equal replicas, before rewriting; replicas.svg: side by
// side, with the placeholders joined. They are written before the placeholders are compared, so that a mismatch can be
// looked at.
void DumpReplicas(const std::string& folder, const ReplicaSteps& steps, SourceLocation where);
// placeholders.txt, program.txt, program.svg: what they have been rewritten into.
void DumpProgram(const std::string& folder, const Program& program);

// Rewrite, with all of that; the program knows its folder.
Program RewriteWithDump(const ReplicaSteps& steps, const StepOptions& options);

// The pictures themselves.
std::string ReplicasPicture(const ReplicaSteps& steps, SourceLocation where);
std::string ProgramPicture(const Program& program);

}  // namespace replicator
