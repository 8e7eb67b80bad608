# Sub-rooms: see docs/ARCHITECTURE.md.
liborrery_core_a_SOURCES += \
	%D%/app_data.c %D%/app_data.h \
	%D%/arguments.c %D%/arguments.h \
	%D%/capture.c %D%/capture.h \
	%D%/counted_bound.c \
	%D%/decide.c \
	%D%/decide_policy.c %D%/decide_policy.h \
	%D%/decision_history.h \
	%D%/digest.h \
	%D%/fixed_mapping.c %D%/fixed_mapping.h \
	%D%/in_calls.c \
	%D%/interleaving_plain.c %D%/interleaving_plain.h \
	%D%/machine.c %D%/machine.h \
	%D%/names.c \
	%D%/prediction.c \
	%D%/partition_calls.c \
	%D%/pause.c \
	%D%/recording.c %D%/recording.h \
	%D%/release.c \
	%D%/report_members.c %D%/report_members.h \
	%D%/registration.c \
	%D%/run.c %D%/run.h \
	%D%/setup.c \
	%D%/sleep.c \
	%D%/thread_calls.c \
	%D%/threads.c %D%/threads.h \
	%D%/buckets.c \
	%D%/window.c %D%/window.h \
	%D%/programs/app_check.c %D%/programs/app_check.h \
	%D%/programs/app_find.c %D%/programs/app_find.h \
	%D%/programs/app_list.c \
	%D%/programs/app_plugin.c %D%/programs/app_plugin.h \
	%D%/programs/app_submit.c %D%/programs/app_submit.h \
	%D%/programs/cholesky.c \
	%D%/programs/dense.c %D%/programs/dense.h \
	%D%/programs/gemm.c \
	%D%/programs/graph_file.c %D%/programs/graph_file.h \
	%D%/programs/lu.c \
	%D%/programs/process_app.c %D%/programs/process_app.h \
	%D%/programs/process_options.c %D%/programs/process_options.h \
	%D%/programs/programs.c %D%/programs/programs.h \
	%D%/programs/qr.c \
	%D%/programs/qr_graph.c %D%/programs/qr_graph.h \
	%D%/programs/qr_tree.c %D%/programs/qr_tree.h \
	%D%/programs/tiles.c %D%/programs/tiles.h \
	%D%/remote/process.c %D%/remote/process.h \
	%D%/remote/protocol.h \
	%D%/remote/server.c %D%/remote/server.h \
	%D%/remote/server_calls.c %D%/remote/server_private.h \
	%D%/remote/server_threads.c \
	%D%/remote/server_task.c \
	%D%/graph/future.c %D%/graph/future.h \
	%D%/graph/graph.c %D%/graph/graph.h \
	%D%/config/app_values.c %D%/config/app_values.h \
	%D%/config/run_config.c %D%/config/run_config.h \
	%D%/config/config_options.c \
	%D%/config/names.c \
	%D%/config/options.c %D%/config/options.h \
	%D%/config/shape.c %D%/config/shape.h \
	%D%/config/values.c %D%/config/values.h \
	%D%/graph/job.c \
	%D%/graph/datum.h \
	%D%/graph/kernels.h \
	%D%/graph/progression.h \
	%D%/graph/successors.c %D%/graph/successors.h \
	%D%/graph/tags.c %D%/graph/tags.h \
	%D%/engine/actor.c %D%/engine/actor.h \
	%D%/engine/coroutine.c %D%/engine/coroutine.h \
	%D%/engine/decision.c %D%/engine/decision.h \
	%D%/engine/engine.c %D%/engine/engine.h \
	%D%/engine/executor.h \
	%D%/engine/event_queue.c %D%/engine/event_queue.h \
	%D%/engine/interleaving.h \
	%D%/engine/pool.c %D%/engine/pool.h \
	%D%/engine/totals.h \
	%D%/races/clocks.c %D%/races/clocks.h \
	%D%/races/detector.c %D%/races/detector.h \
	%D%/data/access_hit.c %D%/data/access_hit.h \
	%D%/data/arbiter.c %D%/data/arbiter.h \
	%D%/data/buffer.h \
	%D%/data/copy.c %D%/data/copy.h \
	%D%/data/data.c %D%/data/data.h \
	%D%/data/eviction.c %D%/data/eviction.h \
	%D%/data/memory.c %D%/data/memory.h \
	%D%/data/parents.c %D%/data/parents.h \
	%D%/data/push_pop_overlap.c %D%/data/push_pop_overlap.h \
	%D%/data/queues.c %D%/data/queues.h \
	%D%/data/request.c %D%/data/request.h \
	%D%/data/sources.c \
	%D%/data/spinlock.c %D%/data/spinlock.h \
	%D%/data/data_turns.h \
	%D%/data/store.h \
	%D%/data/suballoc.c %D%/data/suballoc.h \
	%D%/data/victim.c %D%/data/victim.h \
	%D%/data/waiting.c %D%/data/waiting.h \
	%D%/worker/accesses.c %D%/worker/accesses.h \
	%D%/worker/allocate.c \
	%D%/worker/arrival.c %D%/worker/arrival.h \
	%D%/worker/callback.c \
	%D%/worker/concurrent.c %D%/worker/concurrent.h \
	%D%/worker/lock.c %D%/worker/lock.h \
	%D%/worker/worker_locks.c %D%/worker/worker_locks.h \
	%D%/worker/policy_in_turns.c \
	%D%/worker/policy_turns.h \
	%D%/worker/pin.c %D%/worker/pin.h \
	%D%/worker/policy.c %D%/worker/policy.h \
	%D%/worker/policy_checks.c %D%/worker/policy_checks.h \
	%D%/worker/preemption.c %D%/worker/preemption.h \
	%D%/worker/progress.c %D%/worker/progress.h \
	%D%/worker/redux.c %D%/worker/redux.h \
	%D%/worker/request_issue.c %D%/worker/request_issue.h \
	%D%/worker/scratch.c %D%/worker/scratch.h \
	%D%/worker/stall_retry.c %D%/worker/stall_retry.h \
	%D%/worker/steps.c %D%/worker/steps.h \
	%D%/worker/submit.c %D%/worker/submit.h \
	%D%/worker/worker.c %D%/worker/worker.h \
	%D%/worker/worker_begin.c \
	%D%/worker/worker_cpu.c \
	%D%/worker/worker_end.c \
	%D%/worker/worker_gpu.c \
	%D%/worker/worker_turns.h \
	%D%/application/acquire.c %D%/application/acquire.h \
	%D%/application/application.h %D%/application/thread.h \
	%D%/application/gather.c %D%/application/gather.h \
	%D%/application/hints.c %D%/application/hints.h \
	%D%/application/partition.c %D%/application/partition.h \
	%D%/application/reduction.c %D%/application/reduction.h \
	%D%/executor/duration.c %D%/executor/duration.h \
	%D%/executor/energy.c %D%/executor/energy.h \
	%D%/executor/executor_sim.h \
	%D%/executor/executor_sim.c \
	%D%/executor/kernel.c %D%/executor/kernel.h \
	%D%/executor/kernel_costs.c \
	%D%/executor/kernel_formula.c \
	%D%/executor/kernel_durations.c \
	%D%/executor/turns.h \
	%D%/executor/network.h \
	%D%/executor/network_shared.c \
	%D%/diagnosis/diagnosis.h \
	%D%/diagnosis/hang.c %D%/diagnosis/hang.h \
	%D%/diagnosis/hang_facts.c \
	%D%/diagnosis/hang_livelock.c \
	%D%/diagnosis/hang_names.c \
	%D%/diagnosis/hang_private.h \
	%D%/diagnosis/hang_request.c \
	%D%/diagnosis/hang_room.c \
	%D%/diagnosis/hang_scene.c \
	%D%/diagnosis/hang_task.c \
	%D%/diagnosis/hang_worker.c \
	%D%/diagnosis/unused_settings.c %D%/diagnosis/unused_settings.h \
	%D%/diagnosis/watchdog.c %D%/diagnosis/watchdog.h \
	%D%/explore/decision_log.c %D%/explore/decision_log.h \
	%D%/explore/dfs.c %D%/explore/dfs.h \
	%D%/explore/footprint.c %D%/explore/footprint.h \
	%D%/explore/orders.c %D%/explore/orders.h \
	%D%/explore/portfolio.c %D%/explore/portfolio.h \
	%D%/explore/race.c %D%/explore/race.h \
	%D%/explore/strategy.c %D%/explore/strategy.h \
	%D%/explore/tsan.c %D%/explore/tsan.h

# Lock-step, which plays the reference operation by operation, is optional.
if LOCKSTEP
liborrery_core_a_SOURCES += \
	%D%/lockstep/clock.c %D%/lockstep/clock.h \
	%D%/lockstep/copy_stream.c \
	%D%/lockstep/interleaving.c \
	%D%/lockstep/late_binding.c \
	%D%/lockstep/lock_walk.c %D%/lockstep/lock_walk.h \
	%D%/lockstep/lockstep.c %D%/lockstep/lockstep.h \
	%D%/lockstep/members.h \
	%D%/lockstep/network_lazy.c \
	%D%/lockstep/policy_calls.c \
	%D%/lockstep/popping.c \
	%D%/lockstep/pushing.c \
	%D%/lockstep/queue_scan.c %D%/lockstep/queue_scan.h \
	%D%/lockstep/scheduling.h \
	%D%/lockstep/script.c %D%/lockstep/script.h \
	%D%/lockstep/state.h \
	%D%/lockstep/submission.c \
	%D%/lockstep/trace_points.c \
	%D%/lockstep/worker_state.c %D%/lockstep/worker_state.h
else
liborrery_core_a_SOURCES += \
	%D%/lockstep/lockstep_absent.c
endif
