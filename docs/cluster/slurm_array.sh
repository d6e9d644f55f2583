#!/usr/bin/env bash
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --time=12:00:00
#
# An experiment as a Slurm array: each task does one shard.
#
#   sbatch docs/cluster/slurm_array.sh experiments/synthetic_small.toml parts
#   oslow bench experiments/synthetic_small.toml --merge parts/* --out whole     when all tasks have ended
#
# A task that was killed goes on where it ended when it is submitted again: sbatch --array=3 …, with SHARDS=8 in front.
set -euo pipefail

experiment=$1
parts=$2
shards=${SHARDS:-$SLURM_ARRAY_TASK_COUNT}

oslow bench "$experiment" --shard "$SLURM_ARRAY_TASK_ID/$shards" --out "$parts/$SLURM_ARRAY_TASK_ID" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet
