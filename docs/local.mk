# What the program knows of its options goes into these documents when it is
# built: see apps/cli/fill.h.
filled_documents = %D%/orrery.1 %D%/schemas/compare.json \
	%D%/schemas/explain.json %D%/schemas/run.json

man_MANS = %D%/orrery.1
EXTRA_DIST += $(filled_documents:=.in)
CLEANFILES += $(filled_documents)

$(filled_documents): orrery$(EXEEXT)
%D%/orrery.1: %D%/orrery.1.in
%D%/schemas/compare.json: %D%/schemas/compare.json.in
%D%/schemas/explain.json: %D%/schemas/explain.json.in
%D%/schemas/run.json: %D%/schemas/run.json.in
$(filled_documents):
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	  ./orrery$(EXEEXT) --fill $(srcdir)/$@.in >$@.tmp && mv $@.tmp $@

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %D%/orrery.bash
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = %D%/_orrery
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = %D%/orrery.fish

# README.md names them as docs/*.md.
docpagesdir = $(docdir)/docs
dist_docpages_DATA = \
	%D%/APPLICATIONS.md \
	%D%/ARCHITECTURE.md \
	%D%/CLUSTER.md \
	%D%/COMPARING.md \
	%D%/DEBUGGING.md \
	%D%/ENERGY.md \
	%D%/GALLERY.md \
	%D%/GRAPHS.md \
	%D%/LIBRARY.md \
	%D%/MODELS.md \
	%D%/PERFORMANCE.md \
	%D%/PLATFORMS.md \
	%D%/QR.md \
	%D%/REPORTS.md \
	%D%/SCHEDULERS.md \
	%D%/STARPU.md \
	%D%/EXPLAIN.md \
	%D%/TUTORIAL.md \
	%D%/TRACES.md \
	%D%/VALIDATION.md \
	%D%/ablate-cholesky-attila.svg \
	%D%/ablate-cholesky-hannibal.svg \
	%D%/ablate-lu-attila.svg \
	%D%/ablate-lu-hannibal.svg \
	%D%/compare-cholesky-mirage.svg \
	%D%/gallery-bandwidth.svg \
	%D%/gallery-bounds.svg \
	%D%/gallery-machines.svg \
	%D%/gallery-eviction.svg \
	%D%/gallery-memory.svg \
	%D%/gallery-models.svg \
	%D%/gallery-policies.svg \
	%D%/gallery-power.svg \
	%D%/gantt-cholesky-attila.svg \
	%D%/gantt-tutorial-attila.png \
	%D%/pitch-lu-hannibal.svg \
	%D%/starpu-chol.png

validationdir = $(docpagesdir)/validation
dist_validation_DATA = \
	%D%/validation/NOTES.md \
	%D%/validation/README.md \
	%D%/validation/causes.csv \
	%D%/validation/differences.csv \
	%D%/validation/energy-gamma.csv \
	%D%/validation/energy.csv \
	%D%/validation/features.csv \
	%D%/validation/gemm-differences.csv \
	%D%/validation/gemm-summary.csv \
	%D%/validation/groups.csv \
	%D%/validation/inversion.csv \
	%D%/validation/machines-differences.csv \
	%D%/validation/machines-peaks.csv \
	%D%/validation/machines-summary.csv \
	%D%/validation/native-makespans.csv \
	%D%/validation/native-panels.csv \
	%D%/validation/native-schedules.csv \
	%D%/validation/policies-differences.csv \
	%D%/validation/policies-summary.csv \
	%D%/validation/reproducibility.csv \
	%D%/validation/samples.csv \
	%D%/validation/sensitivity.csv \
	%D%/validation/versions.csv

campaignsdir = $(docpagesdir)/campaigns
dist_campaigns_DATA = \
	%D%/campaigns/bandwidth.ini \
	%D%/campaigns/eviction.ini \
	%D%/campaigns/machines.ini \
	%D%/campaigns/memory.ini \
	%D%/campaigns/models.ini \
	%D%/campaigns/power.ini

schemadir = $(pkgdatadir)/schemas
schema_DATA = %D%/schemas/compare.json %D%/schemas/explain.json \
	%D%/schemas/run.json
dist_schema_DATA = %D%/schemas/graph.json %D%/schemas/optimize.json \
	%D%/schemas/predict.json %D%/schemas/results.json %D%/schemas/scale.json

exampledir = $(docpagesdir)/example
dist_example_DATA = \
	%D%/example/Makefile \
	%D%/example/chol.c \
	%D%/example/follow.c \
	%D%/example/hello.c \
	%D%/example/policies.c \
	%D%/example/reduction.c \
	%D%/example/stencil.c
