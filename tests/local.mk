# A unit test is one word here and a file in tests/.
unit_tests = \
	%D%/unit/apps/chart/test_chart \
	%D%/unit/apps/chart/test_rows \
	%D%/unit/apps/optimize/test_halving \
	%D%/unit/apps/study/test_ablation \
	%D%/unit/runtime/engine/test_actor \
	%D%/unit/runtime/engine/test_advance \
	%D%/unit/apps/test_app \
	%D%/unit/apps/test_app_values \
	%D%/unit/apps/campaign/test_key \
	%D%/unit/apps/campaign/test_where_filter \
	%D%/unit/apps/sweep/test_columns \
	%D%/unit/models/test_bounds \
	%D%/unit/models/test_bounds_transfer \
	%D%/unit/models/platform/test_bus \
	%D%/unit/models/platform/test_devices \
	%D%/unit/runtime/data/test_commute \
	%D%/unit/runtime/worker/test_concurrent \
	%D%/unit/runtime/worker/test_hold_back \
	%D%/unit/runtime/data/test_copy \
	%D%/unit/runtime/engine/test_coroutine \
	%D%/unit/runtime/data/test_data \
	%D%/unit/runtime/engine/test_decision \
	%D%/unit/models/dag/test_dag \
	%D%/unit/models/dagtime/test_dag_times \
	%D%/unit/models/dag/test_dag_formats \
	%D%/unit/models/dag/test_dag_generate \
	%D%/unit/models/dag/test_dag_names \
	%D%/unit/models/dag/test_dag_number \
	%D%/unit/models/dag/test_dag_rec \
	%D%/unit/models/dag/test_dag_wfformat \
	%D%/unit/models/dag/test_dag_write \
	%D%/unit/runtime/explore/test_dfs \
	%D%/unit/runtime/explore/test_reduction \
	%D%/unit/sched/darts/test_darts \
	%D%/unit/sched/policy/test_dm_family \
	%D%/unit/sched/policy/test_modular_family \
	%D%/unit/runtime/executor/test_duration \
	%D%/unit/apps/test_drawing \
	%D%/unit/apps/test_exact \
	%D%/unit/runtime/engine/test_engine \
	%D%/unit/runtime/engine/test_event_queue \
	%D%/unit/apps/search/test_exploration \
	%D%/unit/apps/search/test_interleavings \
	%D%/unit/runtime/explore/test_portfolio \
	%D%/unit/models/platform/test_parameters \
	%D%/unit/models/base/test_file \
	%D%/unit/models/base/test_folder \
	%D%/unit/models/base/test_input \
	%D%/unit/models/base/test_lines \
	%D%/unit/models/fit/test_curve \
	%D%/unit/models/fit/test_scaling \
	%D%/unit/apps/test_scale \
	%D%/unit/models/cost/test_flops \
	%D%/unit/models/energy/test_meter \
	%D%/unit/models/base/test_glob \
	%D%/unit/models/base/test_names \
	%D%/unit/runtime/graph/test_graph \
	%D%/unit/runtime/graph/test_job \
	%D%/unit/sched/test_evict \
	%D%/unit/sched/test_guard \
	%D%/unit/sched/test_guard_watch \
	%D%/unit/runtime/diagnosis/test_hang \
	%D%/unit/runtime/diagnosis/test_hang_who \
	%D%/unit/models/test_heap \
	%D%/unit/sched/policy/test_heteroprio \
	%D%/unit/models/cost/test_histogram \
	%D%/unit/apps/study/test_histogram_plot \
	%D%/unit/models/platform/test_interconnect \
	%D%/unit/models/platform/test_measured_tile \
	%D%/unit/runtime/engine/test_interleaving \
	%D%/unit/sched/queue/test_priority_sums \
	%D%/scenario/test_instant_copies \
	%D%/scenario/test_left_out \
	%D%/scenario/test_latency_hiding \
	%D%/unit/runtime/worker/test_lock \
	%D%/unit/runtime/executor/test_network \
	%D%/unit/models/cost/test_lognormal \
	%D%/unit/runtime/diagnosis/test_watchdog \
	%D%/unit/runtime/data/test_memory \
	%D%/unit/models/cost/test_pitch \
	%D%/scenario/test_many_accesses \
	%D%/scenario/test_trace_parents \
	%D%/scenario/test_modern \
	%D%/unit/models/platform/test_platform \
	%D%/unit/models/platform/test_platform_change \
	%D%/unit/models/platform/test_platform_resize \
	%D%/unit/models/import/test_platform_find \
	%D%/unit/models/import/test_platform_hwloc \
	%D%/unit/models/format/test_platform_outline \
	%D%/unit/models/format/test_platform_save \
	%D%/unit/models/format/test_platform_schema \
	%D%/unit/models/import/test_platform_starpu \
	%D%/unit/models/format/test_platform_xml \
	%D%/unit/apps/study/test_overlay \
	%D%/unit/apps/test_parallel \
	%D%/unit/apps/test_picture \
	%D%/unit/apps/test_plot \
	%D%/unit/apps/test_plot_panels \
	%D%/unit/apps/test_plot_script \
	%D%/unit/apps/test_progress_line \
	%D%/unit/apps/test_gemm \
	%D%/unit/apps/test_qr \
	%D%/unit/runtime/engine/test_pool \
	%D%/unit/runtime/graph/test_progression \
	%D%/scenario/test_energy \
	%D%/scenario/test_energy_bounds \
	%D%/scenario/test_features \
	%D%/scenario/test_property \
	%D%/scenario/test_push_prefetch \
	%D%/scenario/test_redux \
	%D%/unit/runtime/explore/test_clocks \
	%D%/unit/runtime/explore/test_detector \
	%D%/unit/runtime/explore/test_orders \
	%D%/unit/runtime/explore/test_order_reduction \
	%D%/unit/runtime/explore/test_race \
	%D%/unit/runtime/worker/test_oracle \
	%D%/unit/sched/policy/test_random \
	%D%/unit/apps/test_range \
	%D%/unit/sched/queue/test_ready \
	%D%/unit/models/import/test_record \
	%D%/unit/runtime/test_recording \
	%D%/unit/apps/search/test_replay \
	%D%/unit/runtime/data/test_request \
	%D%/unit/runtime/worker/test_stall_retry \
	%D%/unit/models/test_rng \
	%D%/unit/runtime/data/test_push_overlap \
	%D%/unit/runtime/test_arguments \
	%D%/unit/runtime/test_costs \
	%D%/unit/runtime/test_implementations \
	%D%/unit/runtime/test_given_times \
	%D%/unit/runtime/test_synchronise \
	%D%/unit/runtime/test_acquire \
	%D%/unit/runtime/test_partition \
	%D%/unit/runtime/test_callback \
	%D%/unit/runtime/test_redux \
	%D%/unit/runtime/test_scratch \
	%D%/unit/runtime/test_unordered \
	%D%/unit/runtime/test_named_workers \
	%D%/unit/runtime/test_perturbation \
	%D%/unit/runtime/test_prefetch \
	%D%/unit/runtime/test_run \
	%D%/scenario/test_run_copies \
	%D%/unit/runtime/test_run_errors \
	%D%/unit/runtime/test_kernel_sizes \
	%D%/unit/runtime/test_run_measured \
	%D%/scenario/test_run_pitch \
	%D%/unit/runtime/test_run_trace \
	%D%/unit/sched/test_registry \
	%D%/unit/sched/test_sched \
	%D%/unit/models/cost/test_share \
	%D%/unit/models/starpu/test_starpu_operands \
	%D%/scenario/test_short_memory \
	%D%/unit/apps/test_sizes \
	%D%/unit/runtime/data/test_sizes \
	%D%/unit/runtime/data/test_spinlock \
	%D%/unit/models/base/test_statistics \
	%D%/unit/runtime/engine/test_step \
	%D%/unit/runtime/explore/test_strategy \
	%D%/unit/runtime/graph/test_future \
	%D%/unit/runtime/data/test_suballoc \
	%D%/unit/runtime/graph/test_successors \
	%D%/unit/models/platform/test_switches \
	%D%/unit/apps/search/test_token \
	%D%/unit/apps/search/test_token_codec \
	%D%/unit/apps/search/test_token_files \
	%D%/unit/models/platform/test_topology \
	%D%/unit/runtime/graph/test_tags \
	%D%/unit/runtime/test_machine \
	%D%/unit/apps/test_gantt \
	%D%/unit/apps/test_protobuf \
	%D%/unit/apps/test_trace_counters \
	%D%/unit/apps/explain/test_explanation \
	%D%/scenario/test_explained \
	%D%/unit/apps/test_html \
	%D%/unit/apps/test_trace_csv \
	%D%/unit/apps/test_trace_file \
	%D%/unit/apps/test_trace_names \
	%D%/unit/models/test_digits \
	%D%/unit/models/base/test_writer \
	%D%/unit/models/base/test_units \
	%D%/unit/sched/queue/test_priority_fifo \
	%D%/unit/runtime/diagnosis/test_unused_settings \
	%D%/unit/runtime/data/test_eviction \
	%D%/unit/sched/policy/test_work_stealing \
	%D%/scenario/test_unwritten \
	%D%/scenario/test_whatif \
	%D%/unit/runtime/data/test_waiting \
	%D%/unit/models/test_xml
# Of lock-step, and of nothing else.
lockstep_unit_tests = \
	%D%/unit/runtime/lockstep/test_interleaving \
	%D%/unit/runtime/lockstep/test_lock_walk \
	%D%/unit/runtime/lockstep/test_lockstep \
	%D%/unit/runtime/lockstep/test_network_lazy \
	%D%/unit/runtime/lockstep/test_points \
	%D%/unit/runtime/lockstep/test_queue_scan \
	%D%/unit/runtime/lockstep/test_steal \
	%D%/unit/runtime/lockstep/test_submission \
	%D%/unit/runtime/lockstep/test_waking
if LOCKSTEP
unit_tests += $(lockstep_unit_tests)
endif
# The only one that computes.
if HAVE_LAPACKE
unit_tests += %D%/unit/apps/test_qr_numbers
%C%_unit_apps_test_qr_numbers_CPPFLAGS = $(AM_CPPFLAGS) $(LAPACKE_CFLAGS)
%C%_unit_apps_test_qr_numbers_LDADD = $(LDADD) $(LAPACKE_LIBS)
endif
# Those that take longest come first, so that none runs alone at the end.
long_tests = \
	%D%/shell/documents.sh \
	%D%/shell/zoo-matrix.sh \
	%D%/shell/rogue.sh \
	%D%/shell/cli.sh \
	%D%/shell/app-plugin.sh \
	%D%/shell/schemas.sh
shell_tests = \
	%D%/slurm.sh \
	%D%/shell/bad-calibrations.sh \
	%D%/shell/bad-platforms.sh \
	%D%/shell/bootstrap.sh \
	%D%/shell/campaign.sh \
	%D%/shell/campaign-files.sh \
	%D%/shell/campaign-kills.sh \
	%D%/shell/cli-agree.sh \
	%D%/shell/completion.sh \
	%D%/shell/docs-files.sh \
	%D%/shell/energy.sh \
	%D%/shell/features.sh \
	%D%/shell/explore.sh \
	%D%/shell/explore-resume.sh \
	%D%/shell/fixed.sh \
	%D%/shell/full-disk.sh \
	%D%/shell/globals.sh \
	%D%/shell/gnu-parallel.sh \
	%D%/shell/graph-figures.sh \
	%D%/shell/gantt.sh \
	%D%/shell/report.sh \
	%D%/shell/report-browser.sh \
	%D%/shell/report-browser-large.sh \
	%D%/shell/speedscope.sh \
	%D%/shell/power-traces.sh \
	%D%/shell/traces.sh \
	%D%/shell/graph-run.sh \
	%D%/shell/graph-save.sh \
	%D%/shell/graph-simgrid.sh \
	%D%/shell/graphs.sh \
	%D%/shell/hang.sh \
	%D%/shell/hostile-database.sh \
	%D%/shell/input-limits.sh \
	%D%/shell/interrupt.sh \
	%D%/shell/layers.sh \
	%D%/shell/lockstep.sh \
	%D%/shell/loaded.sh \
	%D%/shell/lstopo.sh \
	%D%/shell/native.sh \
	%D%/shell/memory.sh \
	%D%/shell/output-files.sh \
	%D%/shell/pictures.sh \
	%D%/shell/eviction.sh \
	%D%/shell/plugin.sh \
	%D%/shell/progress.sh \
	%D%/shell/replay.sh \
	%D%/shell/round-trip.sh \
	%D%/shell/same-bytes.sh \
	%D%/shell/shrink.sh \
	%D%/shell/save-load.sh \
	%D%/shell/skeleton.sh \
	%D%/shell/sources-seen.sh \
	%D%/shell/starpu-examples.sh \
	%D%/shell/style.sh \
	%D%/shell/token-files.sh \
	%D%/shell/valgrind.sh \
	%D%/shell/width.sh \
	%D%/shell/zoo.sh
if !HAVE_LAPACKE
shell_tests += %D%/shell/lapacke-missing.sh
endif

# Of memory.sh.
check_PROGRAMS += %D%/bench/rusage

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS = $(long_tests) $(unit_tests) $(shell_tests)
else
TESTS = %D%/shell/cmocka-missing.sh $(long_tests) $(shell_tests)
endif

TEST_EXTENSIONS = .sh
LOG_COMPILER = sh $(srcdir)/%D%/bounded.sh
SH_LOG_COMPILER = $(LOG_COMPILER) sh
AM_TESTS_ENVIRONMENT = \
	abs_top_srcdir='$(abs_top_srcdir)'; export abs_top_srcdir; \
	abs_top_builddir='$(abs_top_builddir)'; export abs_top_builddir; \
	sanitizers='$(sanitizers)'; export sanitizers; \
	lockstep='$(lockstep)'; export lockstep; \
	CC='$(CC)'; export CC; \
	unset ORRERY_PLATFORMS; \
	LC_ALL=C; export LC_ALL;
LDADD = \
	liborrery_apps.la liborrery_core.la \
	$(DEPS_LIBS) $(JSON_LIBS) $(CMOCKA_LIBS)

noinst_HEADERS += \
	%D%/scenario/feature_program.h \
	%D%/support/actors.h \
	%D%/support/app_values.h \
	%D%/support/broken_policies.h \
	%D%/support/chance.h \
	%D%/support/cmocka_all.h \
	%D%/support/concurrent_policies.h \
	%D%/support/csv_trace.h \
	%D%/support/graph_fixture.h \
	%D%/support/obedient_policy.h \
	%D%/support/platform_file.h \
	%D%/support/power_graph.h \
	%D%/support/plot_fixture.h \
	%D%/support/policy_fixture.h \
	%D%/support/random_run.h \
	%D%/support/recorded_app.h \
	%D%/support/lockstep.h \
	%D%/support/temp_file.h \
	%D%/support/temp_folder.h \
	%D%/support/token_fixture.h \
	%D%/support/unit_run.h
EXTRA_DIST += \
	$(long_tests) $(shell_tests) \
	%D%/shell/bad-calibrations.expected \
	%D%/support/perfetto.proto \
	%D%/bad-platforms \
	%D%/bounded.sh \
	%D%/bench/activities.py \
	%D%/bench/bench.py \
	%D%/bench/explore-policies.sh \
	%D%/bench/kills.sh \
	%D%/fuzz \
	%D%/graphs \
	%D%/shell/cmocka-missing.sh \
	%D%/shell/lapacke-missing.sh \
	%D%/hwloc \
	%D%/shell/installcheck.sh \
	%D%/native \
	%D%/platforms \
	%D%/shell/plugin_test.sh \
	%D%/plugins \
	%D%/records \
	%D%/shell/sources.sh \
	%D%/starpu-sampling \
	%D%/bench/validate.py \
	%D%/bench/validate_energy.py \
	%D%/bench/validate_features.py \
	%D%/bench/validate_gemm.py \
	%D%/bench/validate_machines.py \
	%D%/bench/validate_native.py \
	%D%/bench/validate_policies.py \
	%D%/bench/validation.py

# After a change of what commands print: read what it did to the document.
update-document: orrery
	@[ -n '$(DOCUMENT)' ] || \
	  { echo 'make update-document: DOCUMENT=FILE is missing' >&2; exit 1; }
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/%D%/shell/documents.sh --update '$(DOCUMENT)'

# What each model is worth, in docs/MODELS.md, with pictures: takes minutes.
update-models: orrery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/%D%/shell/documents.sh --update \
	  $(abs_top_srcdir)/docs/MODELS.md 'takes minutes, made by make update-models'

# The figures of docs/GALLERY.md, from the campaigns in docs/campaigns.
update-gallery: orrery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/%D%/shell/documents.sh --update \
	  $(abs_top_srcdir)/docs/GALLERY.md 'takes long, made by make update-gallery'

# All pictures of the documents, drawn again: takes minutes.
pictures: update-models update-gallery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/%D%/shell/documents.sh --update \
	  $(abs_top_srcdir)/docs/COMPARING.md 'takes long, made by make pictures'
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/%D%/shell/documents.sh --update \
	  $(abs_top_srcdir)/docs/TUTORIAL.md 'takes long, made by make pictures'

# Orrery beside the reference: takes minutes. REFERENCE=DIRECTORY holds its
# makespans and what compares them with ours.
update-validation: orrery
	$(AM_V_at)python3 -B $(srcdir)/%D%/bench/validate.py \
	  --orrery ./orrery --reference '$(REFERENCE)' >validation.tmp
	$(AM_V_at)mv validation.tmp $(srcdir)/docs/VALIDATION.md

# The section of it that compares with a native run: takes seconds.
update-validation-native: orrery
	$(AM_V_at)python3 -B $(srcdir)/%D%/bench/validate_native.py \
	  --orrery ./orrery --update $(srcdir)/docs/VALIDATION.md

# The sections about newer machines, GEMM, more policies, energy and program
# features: take up to minutes.
update-validation-machines update-validation-gemm update-validation-energy \
  update-validation-features update-validation-policies: update-validation-%: orrery
	$(AM_V_at)python3 -B $(srcdir)/%D%/bench/validate_$*.py \
	  --orrery ./orrery --reference '$(REFERENCE)' \
	  --update $(srcdir)/docs/VALIDATION.md
update-validation update-validation-features: %D%/scenario/test_features

# Not a test: figures to read. TILES="20 40" for other sizes; with
# REFERENCE=PROGRAM, an older build, ratios new / old.
%C%_bench_rusage_LDADD =
CLEANFILES += $(EXTRA_PROGRAMS)
bench: orrery %D%/bench/rusage
	$(AM_V_at)python3 $(srcdir)/%D%/bench/bench.py --orrery ./orrery --rusage %D%/bench/rusage \
	  --reference '$(REFERENCE)' $(TILES)

# Where the instructions go, by activity: takes a minute, needs valgrind. With
# REFERENCE=PROGRAM, an older build, before and after.
bench-activities: orrery
	$(AM_V_at)python3 $(srcdir)/%D%/bench/activities.py '$(REFERENCE)' ./orrery

# Every policy over many schedules, to see that none hangs: takes minutes.
# SCHEDULES=10000 for fewer of them.
explore: orrery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) \
	  $(srcdir)/%D%/bench/explore-policies.sh $(SCHEDULES)

# Before a change that must change no answer, and after it: every case, against
# REFERENCE=PROGRAM, an orrery of before, with its orrery-tags.
same-bytes: orrery tests/zoo/orrery-tags
	@[ -n '$(REFERENCE)' ] || \
	  { echo 'make same-bytes: REFERENCE=PROGRAM is missing' >&2; exit 1; }
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/%D%/shell/same-bytes.sh \
	  --all '$(REFERENCE)' ./orrery

installcheck-local:
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) \
	  CC='$(CC)' VERSION='$(PACKAGE_VERSION)' DESTDIR='$(DESTDIR)' \
	  bindir='$(bindir)' libdir='$(libdir)' includedir='$(includedir)' \
	  pkgdatadir='$(pkgdatadir)' pkgconfigdir='$(pkgconfigdir)' \
	  mandir='$(mandir)' docdir='$(docdir)' $(SHELL) $(srcdir)/%D%/shell/installcheck.sh

.PHONY: bench bench-activities explore pictures same-bytes update-document update-gallery update-models \
	update-validation update-validation-energy update-validation-features update-validation-gemm \
	update-validation-machines update-validation-native update-validation-policies

include tests/cli/local.mk
include tests/zoo/local.mk
