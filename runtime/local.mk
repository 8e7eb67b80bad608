# Sub-rooms: see docs/ARCHITECTURE.md.
liborrery_core_a_SOURCES += \
	%D%/app_data.c \
	%D%/app_values.c %D%/app_values.h \
	%D%/shape.c %D%/shape.h \
	%D%/arguments.c %D%/arguments.h \
	%D%/capture.c %D%/capture.h \
	%D%/digest.h \
	%D%/history.h \
	%D%/machine.c %D%/machine.h \
	%D%/mapped.c %D%/mapped.h \
	%D%/registration.c %D%/recording.c %D%/recording.h \
	%D%/run.c %D%/run.h \
	%D%/window.c %D%/window.h \
	%D%/setup.c \
	%D%/races/detector.c %D%/races/detector.h \
	%D%/races/clocks.c %D%/races/clocks.h \
	%D%/engine/actor.c %D%/engine/actor.h \
	%D%/engine/coroutine.c %D%/engine/coroutine.h \
	%D%/engine/decision.c %D%/engine/decision.h \
	%D%/engine/due.c \
	%D%/engine/engine.c %D%/engine/engine.h \
	%D%/engine/event_queue.c %D%/engine/event_queue.h \
	%D%/engine/interleaving.h \
	%D%/engine/pool.c %D%/engine/pool.h \
	%D%/graph/graph.c %D%/graph/graph.h \
	%D%/graph/job.c %D%/graph/job_extras.c \
	%D%/graph/progression.h \
	%D%/graph/successors.c %D%/graph/successors.h \
	%D%/graph/tags.c %D%/graph/tags.h \
	%D%/data/buffer.h \
	%D%/data/claim.c %D%/data/claim.h \
	%D%/data/copy.c %D%/data/copy.h \
	%D%/data/data.c %D%/data/data.h \
	%D%/data/sources.c \
	%D%/graph/future.c %D%/graph/future.h \
	%D%/data/victim.c %D%/data/victim.h \
	%D%/data/eviction.c %D%/data/eviction.h \
	%D%/data/hit.c %D%/data/hit.h \
	%D%/data/memory.c %D%/data/memory.h \
	%D%/data/push_overlap.c %D%/data/push_overlap.h \
	%D%/data/queues.c %D%/data/queues.h \
	%D%/data/request.c %D%/data/request.h \
	%D%/data/spinlock.c %D%/data/spinlock.h \
	%D%/data/suballoc.c %D%/data/suballoc.h \
	%D%/data/waiting.c %D%/data/waiting.h \
	%D%/worker/accesses.c %D%/worker/accesses.h \
	%D%/explore/tsan.c %D%/explore/tsan.h \
	%D%/explore/tsan_atomic.c \
	%D%/worker/allocate.c \
	%D%/worker/concurrent.c %D%/worker/concurrent.h \
	%D%/application/acquire.c %D%/application/acquire.h \
	%D%/application/callback.c \
	%D%/application/gather.c %D%/application/gather.h \
	%D%/application/hints.c \
	%D%/application/partition.c %D%/application/partition.h \
	%D%/application/redux.c \
	%D%/worker/hold_back.c %D%/worker/hold_back.h \
	%D%/executor/duration.c %D%/executor/duration.h \
	%D%/executor/energy.c %D%/executor/energy.h \
	%D%/executor/kernel_costs.c \
	%D%/executor/energy_bounds.c \
	%D%/executor/energy_report.c \
	%D%/executor/executor.h \
	%D%/executor/executor_sim.c \
	%D%/interleaving_plain.c \
	%D%/executor/kernel.c %D%/executor/kernel.h \
	%D%/executor/kernel_where.c \
	%D%/executor/kernel_durations.c %D%/executor/kernel_sizes.c \
	%D%/worker/lock.c %D%/worker/lock.h \
	%D%/executor/network.h \
	%D%/executor/network_shared.c \
	%D%/worker/oracle.c %D%/worker/oracle.h \
	%D%/data/parents.c %D%/data/parents.h \
	%D%/worker/policy.c \
	%D%/worker/progress.c %D%/worker/progress.h \
	%D%/worker/progress_until.c \
	%D%/worker/scratch.c \
	%D%/worker/request_issue.c %D%/worker/request_issue.h \
	%D%/worker/stall_retry.c %D%/worker/stall_retry.h \
	%D%/worker/steps.c %D%/worker/steps.h \
	%D%/worker/submit.c %D%/worker/submit.h \
	%D%/worker/worker.c %D%/worker/worker.h \
	%D%/worker/worker_begin.c \
	%D%/worker/worker_cpu.c \
	%D%/worker/worker_end.c \
	%D%/worker/worker_gpu.c \
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
	%D%/explore/strategy_delay.c \
	%D%/explore/strategy_pct.c \
	%D%/explore/strategy_private.h \
	%D%/explore/strategy_random.c \
	%D%/explore/strategy_starve.c

# What plays the reference operation by operation; all else works without.
if LOCKSTEP
liborrery_core_a_SOURCES += \
	%D%/lockstep/binding.c %D%/lockstep/binding.h \
	%D%/lockstep/clock.c %D%/lockstep/clock.h \
	%D%/lockstep/interleaving.c \
	%D%/lockstep/late.c \
	%D%/lockstep/lock_walk.c %D%/lockstep/lock_walk.h \
	%D%/lockstep/lockstep.c %D%/lockstep/lockstep.h \
	%D%/lockstep/members.h \
	%D%/lockstep/moves.c %D%/lockstep/moves.h \
	%D%/lockstep/network_lazy.c \
	%D%/lockstep/points.c \
	%D%/lockstep/popping.c \
	%D%/lockstep/pushing.c \
	%D%/lockstep/queue_scan.c %D%/lockstep/queue_scan.h \
	%D%/lockstep/scheduling.h \
	%D%/lockstep/state.h \
	%D%/lockstep/stream.c \
	%D%/lockstep/submission.c \
	%D%/lockstep/worker_state.c %D%/lockstep/worker_state.h
else
liborrery_core_a_SOURCES += \
	%D%/lockstep_absent.c
endif
