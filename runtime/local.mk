liborrery_core_la_SOURCES += \
	%D%/engine/actor.c %D%/engine/actor.h \
	%D%/worker/allocate.c \
	%D%/data/buffer.h \
	%D%/data/commute.c %D%/data/commute.h \
	%D%/worker/concurrent.c %D%/worker/concurrent.h \
	%D%/data/copy.c %D%/data/copy.h \
	%D%/engine/coroutine.c %D%/engine/coroutine.h \
	%D%/data/data.c %D%/data/data.h \
	%D%/engine/decision.c %D%/engine/decision.h \
	%D%/digest.h \
	%D%/explore/dfs.c %D%/explore/dfs.h \
	%D%/engine/due.c %D%/engine/due.h \
	%D%/worker/duration.c %D%/worker/duration.h \
	%D%/engine/engine.c %D%/engine/engine.h \
	%D%/worker/executor.h %D%/worker/executor_sim.c \
	%D%/explore/footprint.c %D%/explore/footprint.h \
	%D%/graph/graph.c %D%/graph/graph.h \
	%D%/diagnosis/hang.c %D%/diagnosis/hang.h %D%/diagnosis/hang_private.h \
	%D%/diagnosis/hang_facts.c %D%/diagnosis/hang_livelock.c %D%/diagnosis/hang_names.c \
	%D%/diagnosis/hang_request.c \
	%D%/diagnosis/hang_room.c %D%/diagnosis/hang_scene.c %D%/diagnosis/hang_task.c %D%/diagnosis/hang_worker.c \
	%D%/lockstep/helper.c %D%/lockstep/helper.h \
	%D%/history.h \
	%D%/worker/kernel.c \
	%D%/diagnosis/watchdog.c %D%/diagnosis/watchdog.h \
	%D%/worker/lock.c %D%/worker/lock.h \
	%D%/lockstep/interleaving.c \
	%D%/engine/interleaving.h \
	%D%/worker/interleaving_plain.c \
	%D%/data/memory.c %D%/data/memory.h \
	%D%/lockstep/points.c %D%/lockstep/points.h \
	%D%/lockstep/clock.c %D%/lockstep/clock.h \
	%D%/lockstep/state.h \
	%D%/worker/network.h %D%/worker/network_shared.c \
	%D%/lockstep/lock_walk.c %D%/lockstep/lock_walk.h \
	%D%/worker/policy.c \
	%D%/engine/pool.c %D%/engine/pool.h \
	%D%/worker/progress.c %D%/worker/progress.h %D%/worker/progress_private.h \
	%D%/lockstep/progress_lockstep.c %D%/lockstep/progress_lockstep.h %D%/worker/progress_until.c \
	%D%/graph/progression.h \
	%D%/data/queues.c \
	%D%/explore/race.c %D%/explore/race.h \
	%D%/recording.c %D%/recording.h \
	%D%/data/request.c %D%/data/request.h \
	%D%/worker/stall_retry.c %D%/worker/stall_retry.h \
	%D%/data/push_overlap.c %D%/data/push_overlap.h \
	%D%/run.c %D%/run.h \
	%D%/lockstep/queue_scan.c %D%/lockstep/queue_scan.h \
	%D%/explore/decision_log.c %D%/explore/decision_log.h \
	%D%/worker/request_issue.c %D%/worker/request_issue.h \
	%D%/setup.c %D%/setup.h \
	%D%/data/spinlock.c %D%/data/spinlock.h \
	%D%/lockstep/worker_state.c %D%/lockstep/worker_state.h \
	%D%/explore/strategy.c %D%/explore/strategy.h %D%/explore/strategy_private.h \
	%D%/explore/strategy_delay.c \
	%D%/explore/strategy_pct.c \
	%D%/explore/strategy_random.c \
	%D%/explore/strategy_starve.c \
	%D%/lockstep/stream.c %D%/lockstep/stream.h \
	%D%/data/suballoc.c %D%/data/suballoc.h \
	%D%/graph/successors.c %D%/graph/successors.h \
	%D%/worker/submit.c %D%/worker/submit.h \
	%D%/diagnosis/unused_settings.c %D%/diagnosis/unused_settings.h \
	%D%/graph/tags.c %D%/graph/tags.h \
	%D%/machine.c %D%/machine.h \
	%D%/trace.h \
	%D%/lockstep/network_lazy.c %D%/lockstep/network_lazy.h \
	%D%/lockstep/lockstep.c %D%/lockstep/lockstep.h \
	%D%/data/eviction.c %D%/data/eviction.h \
	%D%/data/waiting.c %D%/data/waiting.h \
	%D%/lockstep/scheduling.c %D%/lockstep/scheduling.h \
	%D%/worker/worker.c %D%/worker/worker.h \
	%D%/worker/worker_cpu.c %D%/worker/worker_end.c %D%/worker/worker_gpu.c
