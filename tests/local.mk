# A unit test is one word here and a file in tests/.
unit_tests = \
	%D%/test_ablation \
	%D%/test_actor \
	%D%/test_advance \
	%D%/test_app \
	%D%/test_bounds \
	%D%/test_bounds_transfer \
	%D%/test_bus \
	%D%/test_commute \
	%D%/test_concurrent \
	%D%/test_copy \
	%D%/test_coroutine \
	%D%/test_data \
	%D%/test_decision \
	%D%/test_dfs \
	%D%/test_reduction \
	%D%/test_dm_family \
	%D%/test_duration \
	%D%/test_drawing \
	%D%/test_engine \
	%D%/test_exploration \
	%D%/test_figures \
	%D%/test_file \
	%D%/test_flops \
	%D%/test_glob \
	%D%/test_graph \
	%D%/test_guard \
	%D%/test_hang \
	%D%/test_hang_who \
	%D%/test_heap \
	%D%/test_heteroprio \
	%D%/test_histogram \
	%D%/test_histogram_plot \
	%D%/test_interconnect \
	%D%/test_ladder \
	%D%/test_left_out \
	%D%/test_lock \
	%D%/test_lognormal \
	%D%/test_liveness \
	%D%/test_manner \
	%D%/test_memory \
	%D%/test_passage \
	%D%/test_pitch \
	%D%/test_modern \
	%D%/test_platform \
	%D%/test_platform_change \
	%D%/test_platform_resize \
	%D%/test_platform_hwloc \
	%D%/test_platform_save \
	%D%/test_platform_schema \
	%D%/test_platform_starpu \
	%D%/test_platform_xml \
	%D%/test_parallel \
	%D%/test_plot \
	%D%/test_pool \
	%D%/test_progression \
	%D%/test_property \
	%D%/test_race \
	%D%/test_random \
	%D%/test_range \
	%D%/test_ready \
	%D%/test_record \
	%D%/test_recording \
	%D%/test_replay \
	%D%/test_request \
	%D%/test_retry \
	%D%/test_rng \
	%D%/test_rounds \
	%D%/test_run \
	%D%/test_run_copies \
	%D%/test_run_errors \
	%D%/test_run_measured \
	%D%/test_run_pitch \
	%D%/test_scan \
	%D%/test_sched \
	%D%/test_share \
	%D%/test_short_memory \
	%D%/test_sizes \
	%D%/test_spinlock \
	%D%/test_statistics \
	%D%/test_step \
	%D%/test_strategy \
	%D%/test_suballoc \
	%D%/test_successors \
	%D%/test_switches \
	%D%/test_theft \
	%D%/test_token \
	%D%/test_topology \
	%D%/test_tags \
	%D%/test_testbed \
	%D%/test_trace_csv \
	%D%/test_traffic \
	%D%/test_turns \
	%D%/test_units \
	%D%/test_urgent \
	%D%/test_usage \
	%D%/test_victims \
	%D%/test_work_stealing \
	%D%/test_waking \
	%D%/test_whatif \
	%D%/test_waiting \
	%D%/test_xml
shell_tests = \
	%D%/bad-calibrations.sh \
	%D%/bad-platforms.sh \
	%D%/cli-agree.sh \
	%D%/cli.sh \
	%D%/debugging.sh \
	%D%/explore.sh \
	%D%/globals.sh \
	%D%/hang.sh \
	%D%/interrupt.sh \
	%D%/layers.sh \
	%D%/lstopo.sh \
	%D%/native.sh \
	%D%/plugin.sh \
	%D%/readme.sh \
	%D%/rogue.sh \
	%D%/replay.sh \
	%D%/same-bytes.sh \
	%D%/shrink.sh \
	%D%/save-load.sh \
	%D%/skeleton.sh \
	%D%/starpu-examples.sh \
	%D%/style.sh \
	%D%/valgrind.sh \
	%D%/zoo.sh

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS = $(unit_tests) $(shell_tests)
else
TESTS = %D%/cmocka-missing.sh $(shell_tests)
endif

TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = sh
AM_TESTS_ENVIRONMENT = \
	abs_top_srcdir='$(abs_top_srcdir)'; export abs_top_srcdir; \
	abs_top_builddir='$(abs_top_builddir)'; export abs_top_builddir; \
	sanitizers='$(sanitizers)'; export sanitizers; \
	CC='$(CC)'; export CC; \
	LC_ALL=C; export LC_ALL;
LDADD = \
	liborrery_apps.la liborrery_core.la \
	$(DEPS_LIBS) $(JSON_LIBS) $(CMOCKA_LIBS)

noinst_HEADERS += \
	%D%/actors.h \
	%D%/broken_policies.h \
	%D%/chance.h \
	%D%/cmocka_all.h \
	%D%/concurrent_policies.h \
	%D%/platform_file.h \
	%D%/random_run.h \
	%D%/recorded_app.h \
	%D%/rounds.h \
	%D%/temp_file.h \
	%D%/unit_run.h
EXTRA_DIST += \
	$(shell_tests) \
	%D%/bad-calibrations.expected \
	%D%/bad-platforms \
	%D%/bench.sh \
	%D%/explore-policies.sh \
	%D%/fuzz \
	%D%/cmocka-missing.sh \
	%D%/hwloc \
	%D%/installcheck.sh \
	%D%/native \
	%D%/platforms \
	%D%/plugin_test.sh \
	%D%/plugins \
	%D%/records \
	%D%/starpu-sampling \
	%D%/validate.py \
	%D%/validate_native.py

# After a change of what runs print: read what it did to README.md.
update-readme: orrery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/%D%/readme.sh --update

# The same for docs/DEBUGGING.md, after a change of what explore finds.
update-debugging: orrery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/%D%/readme.sh --update \
	  $(abs_top_srcdir)/docs/DEBUGGING.md tested

# What each model is worth, in docs/MODELS.md, with pictures: takes minutes.
update-models: orrery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/%D%/readme.sh --update \
	  $(abs_top_srcdir)/docs/MODELS.md 'made by make update-models'

# Orrery beside the reference: takes minutes. REFERENCE=DIRECTORY holds its
# makespans and what compares them with ours.
update-validation: orrery
	$(AM_V_at)python3 $(srcdir)/%D%/validate.py \
	  --orrery ./orrery --reference '$(REFERENCE)' >validation.tmp
	$(AM_V_at)mv validation.tmp $(srcdir)/docs/VALIDATION.md

# The section of it that compares with a native run: takes seconds.
update-validation-native: orrery
	$(AM_V_at)python3 $(srcdir)/%D%/validate_native.py \
	  --orrery ./orrery --update $(srcdir)/docs/VALIDATION.md

# Not a test: figures to read. TILES="20 40" for other sizes.
EXTRA_PROGRAMS += %D%/rusage
%C%_rusage_LDADD =
CLEANFILES += $(EXTRA_PROGRAMS)
bench: orrery %D%/rusage
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/%D%/bench.sh $(TILES)

# Every policy over many schedules, to see that none hangs: takes minutes.
# SCHEDULES=10000 for fewer of them.
explore: orrery
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) \
	  $(srcdir)/%D%/explore-policies.sh $(SCHEDULES)

installcheck-local:
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) \
	  CC='$(CC)' VERSION='$(PACKAGE_VERSION)' DESTDIR='$(DESTDIR)' \
	  bindir='$(bindir)' libdir='$(libdir)' includedir='$(includedir)' \
	  pkgdatadir='$(pkgdatadir)' pkgconfigdir='$(pkgconfigdir)' \
	  mandir='$(mandir)' $(SHELL) $(srcdir)/%D%/installcheck.sh

.PHONY: bench explore update-debugging update-models update-readme update-validation \
	update-validation-native

include tests/cli/local.mk
include tests/zoo/local.mk
