# Times CAM's pruning by mgcv on the tables that crates/prune/benches/cam.rs times too; `cargo xtask bench-cam` runs both.
#
#   Rscript benches/mgcv/cam.R FOLDER      FOLDER/NAME.csv, the columns in their order; prints a JSON object a table
#
# What is timed is gam() and summary() for every column but the first on all columns before it. Starting R, loading mgcv and reading
# the table are not timed. mgcv fits one regression on one thread. Each table is pruned twice; the best counts.

suppressMessages(library(mgcv))

prune <- function(data, cutoff = 0.001) {
  edges <- 0
  for (i in 2:ncol(data)) {
    p <- i - 1
    k <- if (nrow(data) / p < 30) max(3, ceiling(nrow(data) / (3 * p))) else 10
    smooths <- sprintf("s(%s, k = %d)", names(data)[1:p], k)
    fit <- gam(as.formula(paste(names(data)[i], "~", paste(smooths, collapse = " + "))), data = data)
    edges <- edges + sum(summary(fit)$s.pv < cutoff)
  }
  edges
}

folder <- commandArgs(trailingOnly = TRUE)[1]
for (file in sort(list.files(folder, pattern = "csv$"))) {
  data <- read.csv(file.path(folder, file))
  best <- Inf
  for (round in 1:2) {
    start <- proc.time()[["elapsed"]]
    edges <- prune(data)
    best <- min(best, proc.time()[["elapsed"]] - start)
  }
  cat(sprintf('{"table": "%s", "ms": %.1f, "edges": %d}\n', sub(".csv", "", file, fixed = TRUE), 1000 * best, edges))
}
