liborrery_core_la_SOURCES += \
	%D%/account.h \
	%D%/actor.c %D%/actor.h \
	%D%/allocate.c \
	%D%/buffer.h \
	%D%/commute.c %D%/commute.h \
	%D%/concurrent.c %D%/concurrent.h \
	%D%/copy.c %D%/copy.h \
	%D%/coroutine.c %D%/coroutine.h \
	%D%/data.c %D%/data.h \
	%D%/decision.c %D%/decision.h \
	%D%/digest.h \
	%D%/dfs.c %D%/dfs.h \
	%D%/due.c %D%/due.h \
	%D%/duration.c %D%/duration.h \
	%D%/engine.c %D%/engine.h \
	%D%/executor.h %D%/executor_sim.c \
	%D%/foresight.c %D%/foresight.h \
	%D%/graph.c %D%/graph.h \
	%D%/hang.c %D%/hang.h %D%/hang_private.h \
	%D%/hang_facts.c %D%/hang_livelock.c %D%/hang_names.c \
	%D%/hang_request.c \
	%D%/hang_room.c %D%/hang_scene.c %D%/hang_task.c %D%/hang_worker.c \
	%D%/helper.c %D%/helper.h \
	%D%/history.h \
	%D%/kernel.c \
	%D%/liveness.c %D%/liveness.h \
	%D%/lock.c %D%/lock.h \
	%D%/manner.c %D%/manner.h \
	%D%/memory.c %D%/memory.h \
	%D%/operations.c %D%/operations.h \
	%D%/passage.c %D%/passage.h \
	%D%/policy.c \
	%D%/pool.c %D%/pool.h \
	%D%/popping.c %D%/popping.h \
	%D%/progress.c %D%/progress.h %D%/progress_private.h \
	%D%/progress_rounds.c %D%/progress_until.c \
	%D%/progression.h \
	%D%/pushing.c %D%/pushing.h \
	%D%/queues.c \
	%D%/race.c %D%/race.h \
	%D%/recording.c %D%/recording.h \
	%D%/request.c %D%/request.h \
	%D%/retry.c %D%/retry.h \
	%D%/rounds.c %D%/rounds.h \
	%D%/run.c %D%/run.h \
	%D%/scan.c %D%/scan.h \
	%D%/script.c %D%/script.h \
	%D%/serve.c %D%/serve.h \
	%D%/setup.c %D%/setup.h \
	%D%/spinlock.c %D%/spinlock.h \
	%D%/state.c %D%/state.h \
	%D%/strategy.c %D%/strategy.h %D%/strategy_private.h \
	%D%/strategy_delay.c \
	%D%/strategy_pct.c \
	%D%/strategy_random.c \
	%D%/strategy_starve.c \
	%D%/stream.c %D%/stream.h \
	%D%/suballoc.c %D%/suballoc.h \
	%D%/successors.c %D%/successors.h \
	%D%/submit.c %D%/submit.h \
	%D%/usage.c %D%/usage.h \
	%D%/tags.c %D%/tags.h \
	%D%/testbed.c %D%/testbed.h \
	%D%/theft.c %D%/theft.h \
	%D%/trace.h %D%/trace_csv.c \
	%D%/traffic.c %D%/traffic.h \
	%D%/turns.c %D%/turns.h \
	%D%/victims.c %D%/victims.h \
	%D%/waiting.c %D%/waiting.h \
	%D%/waking.c %D%/waking.h \
	%D%/worker.c %D%/worker.h \
	%D%/worker_cpu.c %D%/worker_end.c %D%/worker_gpu.c \
	%D%/worker_rounds.c
