# Unit tests: one program a room, each file a group (tests/support/groups.c).
# `PROGRAM GROUP` runs one group, as in tests/unit/test_models heap.
unit_tests = \
	%D%/unit/test_runtime \
	%D%/unit/test_scenarios \
	%D%/unit/test_apps \
	%D%/unit/test_models \
	%D%/unit/test_sched \
	%D%/unit/test_programs \
	%D%/unit/test_starpu
%C%_unit_test_models_SOURCES = %D%/support/groups.c \
	%D%/unit/models/base/test_elf_imports.c \
	%D%/unit/models/base/test_file.c \
	%D%/unit/models/base/test_folder.c \
	%D%/unit/models/base/test_glob.c \
	%D%/unit/models/base/test_input.c \
	%D%/unit/models/base/test_lines.c \
	%D%/unit/models/base/test_names.c \
	%D%/unit/models/base/test_statistics.c \
	%D%/unit/models/base/test_units.c \
	%D%/unit/models/base/test_writer.c \
	%D%/unit/models/cost/test_flops.c \
	%D%/unit/models/cost/test_histogram.c \
	%D%/unit/models/cost/test_lognormal.c \
	%D%/unit/models/cost/test_pitch.c \
	%D%/unit/models/cost/test_share.c \
	%D%/unit/models/dag/test_dag.c \
	%D%/unit/models/dag/test_dag_formats.c \
	%D%/unit/models/dag/test_dag_generate.c \
	%D%/unit/models/dag/test_dag_names.c \
	%D%/unit/models/dag/test_dag_number.c \
	%D%/unit/models/dag/test_dag_rec.c \
	%D%/unit/models/dag/test_dag_wfformat.c \
	%D%/unit/models/dag/test_dag_write.c \
	%D%/unit/models/dagtime/test_dag_times.c \
	%D%/unit/models/energy/test_meter.c \
	%D%/unit/models/fit/test_curve.c \
	%D%/unit/models/fit/test_scaling.c \
	%D%/unit/models/format/test_platform_outline.c \
	%D%/unit/models/format/test_platform_save.c \
	%D%/unit/models/format/test_platform_schema.c \
	%D%/unit/models/format/test_platform_xml.c \
	%D%/unit/models/import/test_platform_find.c \
	%D%/unit/models/import/test_platform_hwloc.c \
	%D%/unit/models/import/test_platform_starpu.c \
	%D%/unit/models/import/test_record.c \
	%D%/unit/models/platform/test_bus.c \
	%D%/unit/models/platform/test_devices.c \
	%D%/unit/models/platform/test_interconnect.c \
	%D%/unit/models/platform/test_measured_tile.c \
	%D%/unit/models/platform/test_parameters.c \
	%D%/unit/models/platform/test_platform.c \
	%D%/unit/models/platform/test_platform_change.c \
	%D%/unit/models/platform/test_platform_resize.c \
	%D%/unit/models/platform/test_switches.c \
	%D%/unit/models/platform/test_topology.c \
	%D%/unit/models/starpu/test_starpu_operands.c \
	%D%/unit/models/test_bounds.c \
	%D%/unit/models/test_bounds_transfer.c \
	%D%/unit/models/test_digits.c \
	%D%/unit/models/test_heap.c \
	%D%/unit/models/test_rng.c \
	%D%/unit/models/test_xml.c
%C%_unit_test_sched_SOURCES = %D%/support/groups.c \
	%D%/unit/sched/darts/test_darts.c \
	%D%/unit/sched/policy/test_bucket_plan.c \
	%D%/unit/sched/policy/test_dm_family.c \
	%D%/unit/sched/policy/test_given_buckets.c \
	%D%/unit/sched/policy/test_heteroprio.c \
	%D%/unit/sched/policy/test_modular_family.c \
	%D%/unit/sched/policy/test_random.c \
	%D%/unit/sched/policy/test_work_stealing.c \
	%D%/unit/sched/queue/test_priority_fifo.c \
	%D%/unit/sched/queue/test_priority_sums.c \
	%D%/unit/sched/queue/test_ready.c \
	%D%/unit/sched/test_evict.c \
	%D%/unit/sched/test_guard.c \
	%D%/unit/sched/test_guard_watch.c \
	%D%/unit/sched/test_registry.c \
	%D%/unit/sched/test_sched.c
%C%_unit_test_runtime_SOURCES = %D%/support/groups.c \
	%D%/unit/runtime/config/test_app_values.c \
	%D%/unit/runtime/config/test_names.c \
	%D%/unit/runtime/config/test_config.c \
	%D%/unit/runtime/data/test_arbiter_groups.c \
	%D%/unit/runtime/data/test_commute.c \
	%D%/unit/runtime/data/test_copy.c \
	%D%/unit/runtime/data/test_data.c \
	%D%/unit/runtime/data/test_eviction.c \
	%D%/unit/runtime/data/test_memory.c \
	%D%/unit/runtime/data/test_push_pop_overlap.c \
	%D%/unit/runtime/data/test_request.c \
	%D%/unit/runtime/data/test_sizes.c \
	%D%/unit/runtime/data/test_spinlock.c \
	%D%/unit/runtime/data/test_suballoc.c \
	%D%/unit/runtime/data/test_waiting.c \
	%D%/unit/runtime/diagnosis/test_hang.c \
	%D%/unit/runtime/diagnosis/test_hang_who.c \
	%D%/unit/runtime/diagnosis/test_unused_settings.c \
	%D%/unit/runtime/diagnosis/test_watchdog.c \
	%D%/unit/runtime/engine/test_actor.c \
	%D%/unit/runtime/engine/test_advance.c \
	%D%/unit/runtime/engine/test_coroutine.c \
	%D%/unit/runtime/engine/test_decision.c \
	%D%/unit/runtime/engine/test_engine.c \
	%D%/unit/runtime/engine/test_event_queue.c \
	%D%/unit/runtime/engine/test_interleaving.c \
	%D%/unit/runtime/engine/test_pool.c \
	%D%/unit/runtime/engine/test_step.c \
	%D%/unit/runtime/executor/test_duration.c \
	%D%/unit/runtime/executor/test_network.c \
	%D%/unit/runtime/explore/test_clocks.c \
	%D%/unit/runtime/explore/test_detector.c \
	%D%/unit/runtime/explore/test_dfs.c \
	%D%/unit/runtime/explore/test_order_reduction.c \
	%D%/unit/runtime/explore/test_orders.c \
	%D%/unit/runtime/explore/test_portfolio.c \
	%D%/unit/runtime/explore/test_race.c \
	%D%/unit/runtime/explore/test_reduction.c \
	%D%/unit/runtime/explore/test_strategy.c \
	%D%/unit/runtime/graph/test_future.c \
	%D%/unit/runtime/graph/test_graph.c \
	%D%/unit/runtime/graph/test_job.c \
	%D%/unit/runtime/graph/test_progression.c \
	%D%/unit/runtime/graph/test_successors.c \
	%D%/unit/runtime/graph/test_tags.c \
	%D%/unit/runtime/programs/test_app_find.c \
	%D%/unit/runtime/programs/test_app_submit.c \
	%D%/unit/runtime/programs/test_gemm.c \
	%D%/unit/runtime/programs/test_qr.c \
	%D%/unit/runtime/test_acquire.c \
	%D%/unit/runtime/test_acquire_later.c \
	%D%/unit/runtime/test_arguments.c \
	%D%/unit/runtime/test_buckets.c \
	%D%/unit/runtime/test_callback.c \
	%D%/unit/runtime/test_counted_bound.c \
	%D%/unit/runtime/test_decide.c \
	%D%/unit/runtime/test_costs.c \
	%D%/unit/runtime/test_end_dependencies.c \
	%D%/unit/runtime/test_prologue.c \
	%D%/unit/runtime/test_given_times.c \
	%D%/unit/runtime/test_implementations.c \
	%D%/unit/runtime/test_kernel_calls.c \
	%D%/unit/runtime/test_kernel_formula.c \
	%D%/unit/runtime/test_kernel_sizes.c \
	%D%/unit/runtime/test_interface.c \
	%D%/unit/runtime/test_machine.c \
	%D%/unit/runtime/test_named_workers.c \
	%D%/unit/runtime/test_notify.c \
	%D%/unit/runtime/test_partition.c \
	%D%/unit/runtime/test_partition_end.c \
	%D%/unit/runtime/test_pause.c \
	%D%/unit/runtime/test_perturbation.c \
	%D%/unit/runtime/test_prediction.c \
	%D%/unit/runtime/test_prefetch.c \
	%D%/unit/runtime/test_progress.c \
	%D%/unit/runtime/test_recording.c \
	%D%/unit/runtime/test_redux.c \
	%D%/unit/runtime/test_report_members.c \
	%D%/unit/runtime/test_run.c \
	%D%/unit/runtime/test_run_errors.c \
	%D%/unit/runtime/test_run_measured.c \
	%D%/unit/runtime/test_run_trace.c \
	%D%/unit/runtime/test_scratch.c \
	%D%/unit/runtime/test_sleep.c \
	%D%/unit/runtime/test_synchronise.c \
	%D%/unit/runtime/test_threads.c \
	%D%/unit/runtime/test_task_costs.c \
	%D%/unit/runtime/test_temporary.c \
	%D%/unit/runtime/test_unordered.c \
	%D%/unit/runtime/test_window.c \
	%D%/unit/runtime/worker/test_concurrent.c \
	%D%/unit/runtime/worker/test_lock.c \
	%D%/unit/runtime/worker/test_policy_checks.c \
	%D%/unit/runtime/worker/test_preemption.c \
	%D%/unit/runtime/worker/test_pipeline.c \
	%D%/unit/runtime/worker/test_stall_retry.c
if LOCKSTEP
%C%_unit_test_runtime_SOURCES += \
	%D%/unit/runtime/lockstep/test_lock_walk.c \
	%D%/unit/runtime/lockstep/test_lockstep.c \
	%D%/unit/runtime/lockstep/test_lockstep_interleaving.c \
	%D%/unit/runtime/lockstep/test_network_lazy.c \
	%D%/unit/runtime/lockstep/test_queue_scan.c \
	%D%/unit/runtime/lockstep/test_steal.c \
	%D%/unit/runtime/lockstep/test_submission.c \
	%D%/unit/runtime/lockstep/test_trace_points.c \
	%D%/unit/runtime/lockstep/test_waking.c
endif
# The only one that computes.
if HAVE_LAPACKE
%C%_unit_test_runtime_SOURCES += %D%/unit/runtime/programs/test_qr_numbers.c
%C%_unit_test_runtime_LDADD = $(LDADD) $(LAPACKE_LIBS)
endif
%C%_unit_test_apps_SOURCES = %D%/support/groups.c \
	%D%/unit/apps/campaign/test_key.c \
	%D%/unit/apps/campaign/test_where_filter.c \
	%D%/unit/apps/chart/test_chart.c \
	%D%/unit/apps/chart/test_histogram_plot.c \
	%D%/unit/apps/chart/test_rows.c \
	%D%/unit/apps/experiment/test_ablation.c \
	%D%/unit/apps/experiment/test_comparison.c \
	%D%/unit/apps/experiment/test_halving.c \
	%D%/unit/apps/experiment/test_overlay.c \
	%D%/unit/apps/explain/test_explanation.c \
	%D%/unit/apps/search/test_exploration.c \
	%D%/unit/apps/search/test_interleavings.c \
	%D%/unit/apps/search/test_replay.c \
	%D%/unit/apps/search/test_token.c \
	%D%/unit/apps/search/test_token_codec.c \
	%D%/unit/apps/search/test_token_files.c \
	%D%/unit/apps/sweep/test_columns.c \
	%D%/unit/apps/sweep/test_store.c \
	%D%/unit/apps/sweep/test_sweep.c \
	%D%/unit/apps/test_drawing.c \
	%D%/unit/apps/test_exact.c \
	%D%/unit/apps/test_gantt.c \
	%D%/unit/apps/test_html.c \
	%D%/unit/apps/test_options.c \
	%D%/unit/apps/test_parallel.c \
	%D%/unit/apps/test_picture.c \
	%D%/unit/apps/test_plot.c \
	%D%/unit/apps/test_plot_panels.c \
	%D%/unit/apps/test_plot_script.c \
	%D%/unit/apps/test_progress_line.c \
	%D%/unit/apps/test_protobuf.c \
	%D%/unit/apps/test_range.c \
	%D%/unit/apps/test_scale.c \
	%D%/unit/apps/test_sizes.c \
	%D%/unit/apps/test_trace_counters.c \
	%D%/unit/apps/test_trace_csv.c \
	%D%/unit/apps/test_trace_file.c \
	%D%/unit/apps/test_trace_names.c
# It has functions of the runtime of its own.
%C%_unit_test_programs_SOURCES = %D%/support/groups.c %D%/unit/runtime/programs/test_app.c
# StarPU's interface, which programs link with.
%C%_unit_test_starpu_SOURCES = %D%/support/groups.c \
	%D%/support/ending.c %D%/support/ending.h \
	%D%/unit/starpu/test_bitmap.c \
	%D%/unit/starpu/test_bound.c \
	%D%/unit/starpu/test_component.c \
	%D%/unit/starpu/test_component_decision.c \
	%D%/unit/starpu/test_component_queue.c \
	%D%/unit/starpu/test_component_tree.c \
	%D%/unit/starpu/test_data.c \
	%D%/unit/starpu/test_environment.c \
	%D%/unit/starpu/test_fifo.c \
	%D%/unit/starpu/test_formula.c \
	%D%/unit/starpu/test_helpers.c \
	%D%/unit/starpu/test_memory.c \
	%D%/unit/starpu/test_pack.c \
	%D%/unit/starpu/test_prio_deque.c \
	%D%/unit/starpu/test_prio_list.c \
	%D%/unit/starpu/test_random_program.c \
	%D%/unit/starpu/test_ready.c \
	%D%/unit/starpu/test_session.c \
	%D%/unit/starpu/test_source.c \
	%D%/unit/starpu/test_task_list.c \
	%D%/unit/starpu/test_worker_list.c
%C%_unit_test_starpu_LDADD = liborrery_starpu.a $(LDADD)
%C%_unit_test_starpu_CPPFLAGS = $(precompiled_test_flags) $(own_cppflags)
%C%_unit_test_starpu_CFLAGS = $(own_cflags) $(ORR_TEST_OPTIMISE)
%C%_unit_test_scenarios_SOURCES = %D%/support/groups.c \
	%D%/scenario/test_energy.c \
	%D%/scenario/test_energy_bounds.c \
	%D%/scenario/test_explained.c \
	%D%/scenario/test_features.c \
	%D%/scenario/test_instant_copies.c \
	%D%/scenario/test_latency_hiding.c \
	%D%/scenario/test_left_out.c \
	%D%/scenario/test_many_accesses.c \
	%D%/scenario/test_modern.c \
	%D%/scenario/test_property.c \
	%D%/scenario/test_push_prefetch.c \
	%D%/scenario/test_redux.c \
	%D%/scenario/test_run_copies.c \
	%D%/scenario/test_run_pitch.c \
	%D%/scenario/test_short_memory.c \
	%D%/scenario/test_trace_parents.c \
	%D%/scenario/test_unwritten.c \
	%D%/scenario/test_whatif.c
%C%_unit_test_models_CPPFLAGS = $(precompiled_test_flags) $(own_cppflags)
%C%_unit_test_models_CFLAGS = $(own_cflags) $(ORR_TEST_OPTIMISE)
%C%_unit_test_sched_CPPFLAGS = $(precompiled_test_flags) $(own_cppflags)
%C%_unit_test_sched_CFLAGS = $(own_cflags) $(ORR_TEST_OPTIMISE)
%C%_unit_test_runtime_CPPFLAGS = $(precompiled_test_flags) $(own_cppflags)
%C%_unit_test_runtime_CFLAGS = $(own_cflags) $(ORR_TEST_OPTIMISE)
%C%_unit_test_apps_CPPFLAGS = $(precompiled_test_flags) $(own_cppflags)
%C%_unit_test_apps_CFLAGS = $(own_cflags) $(ORR_TEST_OPTIMISE)
%C%_unit_test_programs_CPPFLAGS = $(precompiled_test_flags) $(own_cppflags)
%C%_unit_test_programs_CFLAGS = $(own_cflags) $(ORR_TEST_OPTIMISE)
%C%_unit_test_scenarios_CPPFLAGS = $(precompiled_test_flags) $(own_cppflags)
%C%_unit_test_scenarios_CFLAGS = $(own_cflags) $(ORR_TEST_OPTIMISE)
unit_test_objects = \
	$(%C%_unit_test_models_OBJECTS) $(%C%_unit_test_sched_OBJECTS) \
	$(%C%_unit_test_runtime_OBJECTS) $(%C%_unit_test_apps_OBJECTS) \
	$(%C%_unit_test_programs_OBJECTS) $(%C%_unit_test_scenarios_OBJECTS) \
	$(%C%_unit_test_starpu_OBJECTS)

# The commands of each document, see shell/documents.sh. Those of orrery.1 are
# those of shell/manual.sh.
document_tests = \
	README.md \
	docs/APPLICATIONS.md \
	docs/ARCHITECTURE.md \
	docs/CLUSTER.md \
	docs/COMPARING.md \
	docs/DEBUGGING.md \
	docs/ENERGY.md \
	docs/EXPLAIN.md \
	docs/GALLERY.md \
	docs/GRAPHS.md \
	docs/LIBRARY.md \
	docs/MODELS.md \
	docs/PERFORMANCE.md \
	docs/PLATFORMS.md \
	docs/QR.md \
	docs/REPORTS.md \
	docs/SCHEDULERS.md \
	docs/STARPU.md \
	docs/TRACES.md \
	docs/TUTORIAL.md \
	docs/VALIDATION.md
# These take longest and come first, so that none runs alone at the end. Some wait
# most of their time.
long_tests = \
	%D%/shell/input-limits.sh \
	%D%/shell/rogue.sh \
	%D%/slurm.sh \
	%D%/shell/cli.sh \
	%D%/shell/zoo-matrix.sh \
	%D%/shell/progress.sh \
	%D%/shell/valgrind.sh \
	%D%/shell/campaign-kills.sh \
	%D%/shell/memory.sh \
	%D%/shell/zoo.sh \
	%D%/shell/zoo-starpu.sh \
	%D%/shell/app-plugin.sh
shell_tests = \
	%D%/shell/abi.sh \
	%D%/shell/schemas.sh \
	%D%/shell/bad-calibrations.sh \
	%D%/shell/bad-platforms.sh \
	%D%/shell/bootstrap.sh \
	%D%/shell/campaign.sh \
	%D%/shell/campaign-files.sh \
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
	%D%/shell/program.sh \
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
	%D%/shell/interrupt.sh \
	%D%/shell/layers.sh \
	%D%/shell/lockstep.sh \
	%D%/shell/loaded.sh \
	%D%/shell/lstopo.sh \
	%D%/shell/manual.sh \
	%D%/shell/native.sh \
	%D%/shell/mutations.sh \
	%D%/shell/output-files.sh \
	%D%/shell/pictures.sh \
	%D%/shell/eviction.sh \
	%D%/shell/plugin.sh \
	%D%/shell/replay.sh \
	%D%/shell/round-trip.sh \
	%D%/shell/same-bytes.sh \
	%D%/shell/shrink.sh \
	%D%/shell/save-load.sh \
	%D%/shell/skeleton.sh \
	%D%/shell/sources-seen.sh \
	%D%/shell/starpu-components.sh \
	%D%/shell/starpu-memory.sh \
	%D%/shell/starpu-check.sh \
	%D%/shell/starpu-user.sh \
	%D%/shell/starpu-examples.sh \
	%D%/shell/starpu.sh \
	%D%/shell/starpu-functions.sh \
	%D%/shell/starpu-headers.sh \
	%D%/shell/starpu-policy.sh \
	%D%/shell/starpu-prefix.sh \
	%D%/shell/starpu-rogue.sh \
	%D%/shell/starpu-wrong.sh \
	%D%/shell/style.sh \
	%D%/shell/token-files.sh \
	%D%/shell/width.sh \
	%D%/shell/words.sh
if !HAVE_LAPACKE
shell_tests += %D%/shell/lapacke-missing.sh
endif

# Of memory.sh.
check_PROGRAMS += %D%/bench/rusage %D%/remote_program
%C%_remote_program_LDADD = liborrery_starpu.a $(program_libs)

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS = $(long_tests) $(unit_tests) $(document_tests) $(shell_tests)
else
TESTS = %D%/shell/cmocka-missing.sh $(long_tests) $(document_tests) $(shell_tests)
endif

TEST_EXTENSIONS = .sh .md
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = sh $(srcdir)/%D%/bounded.sh
SH_LOG_COMPILER = $(LOG_COMPILER) sh
MD_LOG_COMPILER = $(SH_LOG_COMPILER) $(srcdir)/%D%/shell/documents.sh
# "full" for more seeds, schedules, kills and documents: takes minutes.
test_length = short
AM_TESTS_ENVIRONMENT = \
	abs_top_srcdir='$(abs_top_srcdir)'; export abs_top_srcdir; \
	abs_top_builddir='$(abs_top_builddir)'; export abs_top_builddir; \
	sanitizers='$(sanitizers)'; export sanitizers; \
	: $${test_length:=short}; export test_length; \
	lockstep='$(lockstep)'; export lockstep; \
	test_length='$(test_length)'; export test_length; \
	CC='$(CC)'; export CC; \
	unset ORRERY_PLATFORMS; \
	LC_ALL=C; export LC_ALL;
# After the summary of a run that passes.
check-local: check-TESTS
	@$(SHELL) $(srcdir)/%D%/slowest.sh $(TEST_LOGS)
LDADD = $(program_libs) $(CMOCKA_LIBS)

noinst_HEADERS += \
	%D%/scenario/feature_program.h \
	%D%/support/actors.h \
	%D%/support/app_values.h \
	%D%/support/broken_policies.h \
	%D%/support/chance.h \
	%D%/support/components.h \
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
	%D%/shell/words.limits \
	%D%/support/perfetto.proto \
	%D%/starpu \
	%D%/bad-platforms \
	%D%/bounded.sh \
	%D%/slowest.sh \
	%D%/bench/activities.py \
	%D%/bench/bare-machine.sh \
	%D%/bench/bench.py \
	%D%/bench/explore-policies.sh \
	%D%/bench/kills.sh \
	%D%/fuzz \
	%D%/graphs \
	%D%/shell/cmocka-missing.sh \
	%D%/shell/drawn.sh \
	%D%/shell/lapacke-missing.sh \
	%D%/hwloc \
	%D%/mutations \
	%D%/shell/installcheck.sh \
	%D%/native \
	%D%/reference \
	%D%/platforms \
	%D%/shell/plugin_test.sh \
	%D%/shell/documents.sh \
	%D%/abi \
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

# Orrery compared with the reference: docs/validation/*.csv, and the table of
# docs/VALIDATION.md that is made from them. Takes minutes. REFERENCE=DIRECTORY
# holds the makespans of the reference and the program that compares them.
update-validation: orrery
	$(AM_V_at)for part in '' _native _machines _gemm _policies _features _energy; do \
	  python3 -B $(srcdir)/%D%/bench/validate$$part.py \
	    --orrery ./orrery --reference '$(REFERENCE)' \
	    --update $(srcdir)/docs/VALIDATION.md || exit 1; done

# The tables of the native run: takes seconds.
update-validation-native: orrery
	$(AM_V_at)python3 -B $(srcdir)/%D%/bench/validate_native.py \
	  --orrery ./orrery --update $(srcdir)/docs/VALIDATION.md

# The tables of newer machines, GEMM, more policies, energy and program
# features: up to minutes each.
update-validation-machines update-validation-gemm update-validation-energy \
  update-validation-features update-validation-policies: update-validation-%: orrery
	$(AM_V_at)python3 -B $(srcdir)/%D%/bench/validate_$*.py \
	  --orrery ./orrery --reference '$(REFERENCE)' \
	  --update $(srcdir)/docs/VALIDATION.md
update-validation update-validation-features: %D%/unit/test_scenarios

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

# Whether the tests find faults: tests/mutations/list, one at a time, in a copy
# of the sources. Takes minutes. MUTATIONS="NAME..." for some of them.
mutations:
	$(AM_V_at)rm -rf mutations.tmp && mkdir mutations.tmp
	$(AM_V_at)$(MAKE) $(AM_MAKEFLAGS) distdir distdir=mutations.tmp/source
	+$(AM_V_at)MAKE='$(MAKE)' CC='$(CC)' $(SHELL) mutations.tmp/source/tests/mutations/run.sh \
	  mutations.tmp/source mutations.tmp/build $(MUTATIONS)
	$(AM_V_at)rm -rf mutations.tmp

# distcheck removes what it builds: ORR_KEEP=FOLDER, which exists, gets the programs and
# the archives.
installcheck-local:
	$(AM_V_at)[ -z '$(ORR_KEEP)' ] || { \
	  $(MKDIR_P) '$(ORR_KEEP)/tests/zoo' && \
	  cp orrery liborrery_*.a '$(ORR_KEEP)' && \
	  cp tests/zoo/orrery-tags '$(ORR_KEEP)/tests/zoo'; }
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) \
	  CC='$(CC)' VERSION='$(PACKAGE_VERSION)' DESTDIR='$(DESTDIR)' \
	  bindir='$(bindir)' libdir='$(libdir)' includedir='$(includedir)' \
	  pkgdatadir='$(pkgdatadir)' pkgconfigdir='$(pkgconfigdir)' \
	  mandir='$(mandir)' docdir='$(docdir)' $(SHELL) $(srcdir)/%D%/shell/installcheck.sh

# Everything at full length: hours. What has passed for this commit is not repeated.
nightly:
	cd $(srcdir) && .ci/run --nightly

.PHONY: bench bench-activities explore mutations nightly pictures same-bytes update-document update-gallery update-models \
	update-validation update-validation-energy update-validation-features update-validation-gemm \
	update-validation-machines update-validation-native update-validation-policies

include tests/cli/local.mk
include tests/zoo/local.mk
