# Listed one by one: make would build a folder "cli" from cli.sh.
EXTRA_DIST += \
	%D%/add-bandwidth.cmd %D%/add-bandwidth.expected \
	%D%/add-kernels.cmd %D%/add-kernels.expected \
	%D%/ablate.cmd %D%/ablate.expected \
	%D%/app.cmd %D%/app.expected \
	%D%/buckets.cmd %D%/buckets.expected \
	%D%/coverage.cmd %D%/coverage.expected \
	%D%/compare.cmd %D%/compare.expected \
	%D%/detect.cmd %D%/detect.expected \
	%D%/durations.cmd %D%/durations.expected \
	%D%/energy.cmd %D%/energy.expected \
	%D%/explain.cmd %D%/explain.expected \
	%D%/explore.cmd %D%/explore.expected \
	%D%/failure.cmd %D%/failure.expected \
	%D%/gantt.cmd %D%/gantt.expected \
	%D%/gemm.cmd %D%/gemm.expected \
	%D%/report.cmd %D%/report.expected \
	%D%/graph.cmd %D%/graph.expected \
	%D%/hang.cmd %D%/hang.expected \
	%D%/help.cmd %D%/help.expected \
	%D%/histogram.cmd %D%/histogram.expected \
	%D%/list.cmd %D%/list.expected \
	%D%/modelled.cmd %D%/modelled.expected \
	%D%/names.cmd %D%/names.expected \
	%D%/optimize.cmd %D%/optimize.expected \
	%D%/output.cmd %D%/output.expected \
	%D%/parts.cmd %D%/parts.expected \
	%D%/platform.cmd %D%/platform.expected \
	%D%/plot.cmd %D%/plot.expected \
	%D%/predict.cmd %D%/predict.expected \
	%D%/qr.cmd %D%/qr.expected \
	%D%/replay.cmd %D%/replay.expected \
	%D%/replicas.cmd %D%/replicas.expected \
	%D%/run.cmd %D%/run.expected \
	%D%/scale.cmd %D%/scale.expected \
	%D%/shrink.cmd %D%/shrink.expected \
	%D%/sweep.cmd %D%/sweep.expected \
	%D%/starpu.cmd %D%/starpu.expected \
	%D%/trace.cmd %D%/trace.expected \
	%D%/uncalibrated.cmd %D%/uncalibrated.expected \
	%D%/usage.cmd %D%/usage.expected \
	%D%/where.cmd %D%/where.expected \
	%D%/whatif.cmd %D%/whatif.expected

# After a change of what the command line prints: read what it did to them.
update-cli: orrery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/tests/shell/cli.sh --update

.PHONY: update-cli
