# StarPU's interface: a library of its own, on orrery.h alone.
noinst_LIBRARIES += liborrery_starpu.a
liborrery_starpu_a_SOURCES = \
	%D%/base/calls.c %D%/base/calls.h \
	%D%/base/error.c %D%/base/error.h \
	%D%/base/policy.c %D%/base/policy.h \
	%D%/base/priority.c \
	%D%/base/sampling.c %D%/base/sampling.h \
	%D%/base/session.c %D%/base/session.h \
	%D%/base/threads.c %D%/base/threads.h \
	%D%/base/worker_locks.c \
	%D%/base/workers.c \
	%D%/codelet/codelet.c %D%/codelet/codelet.h
include %D%/data/local.mk
include %D%/model/local.mk
include %D%/device/local.mk
include %D%/session/local.mk
include %D%/task/local.mk
include %D%/policy/local.mk
include %D%/queue/local.mk
include %D%/component/local.mk
include %D%/memory/local.mk
include %D%/remote/local.mk

# Functions that are declared and not simulated; in the shared library alone, as the
# weak ones of an archive would hide others.
noinst_LIBRARIES += liborrery_starpu_refused.a
nodist_liborrery_starpu_refused_a_SOURCES = %D%/device/refused.c
EXTRA_DIST += %D%/functions.tsv %D%/refused.awk %D%/table.awk \
	%D%/variables.tsv
CLEANFILES += %D%/device/refused.c
%D%/device/refused.c: %D%/functions.tsv %D%/refused.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	  awk -f $(srcdir)/%D%/refused.awk $(srcdir)/%D%/functions.tsv >$@.tmp && \
	  mv $@.tmp $@

# After a change of functions.tsv or variables.tsv: their lists end docs/STARPU.md.
starpu_table = LC_ALL=C awk -f $(srcdir)/%D%/table.awk
update-starpu-document:
	$(AM_V_at){ sed '/^## All variables/,$$d' $(srcdir)/docs/STARPU.md && \
	  echo '## All variables' && \
	  $(starpu_table) -v kind=Variables $(srcdir)/%D%/variables.tsv && \
	  echo && echo '## All functions' && \
	  $(starpu_table) -v kind=Functions $(srcdir)/%D%/functions.tsv; \
	} >STARPU.md.tmp && cp STARPU.md.tmp $(srcdir)/docs/STARPU.md && rm STARPU.md.tmp
.PHONY: update-starpu-document

starpu_map = %D%/liborrery-starpu.map
EXTRA_DIST += $(starpu_map)
starpu_library = liborrery-starpu.so.$(ORR_LIBRARY_VERSION)
starpu_links = liborrery-starpu.so.$(ORR_LIBRARY_MAJOR) liborrery-starpu.so
starpudir = $(libdir)
starpu_DATA = $(starpu_library)
CLEANFILES += $(starpu_library) $(starpu_links)
$(starpu_library): liborrery_starpu.a liborrery_starpu_refused.a $(library) \
		$(starpu_map)
	$(AM_V_CCLD)$(CCLD) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) \
	  -shared -Wl,-rpath,'$$ORIGIN' -Wl,-soname,liborrery-starpu.so.$(ORR_LIBRARY_MAJOR) -o $@ \
	  -Wl,--version-script=$(srcdir)/$(starpu_map) \
	  -Wl,--whole-archive,liborrery_starpu.a,liborrery_starpu_refused.a \
	  -Wl,--no-whole-archive $(library) $(DEPS_LIBS) $(LIBS)
	$(AM_V_at)for name in $(starpu_links); do \
	  rm -f $$name && $(LN_S) $(starpu_library) $$name || exit 1; \
	done

# Programs include <starpu.h> and <schedulers/starpu_heteroprio.h>.
starpuincludedir = $(includedir)/orrery-starpu
dist_starpuinclude_HEADERS = \
	%D%/include/starpu.h \
	%D%/include/starpu_bitmap.h \
	%D%/include/starpu_bound.h \
	%D%/include/starpu_clusters.h \
	%D%/include/starpu_config.h \
	%D%/include/starpu_cublas.h \
	%D%/include/starpu_cublasLt.h \
	%D%/include/starpu_cublas_v2.h \
	%D%/include/starpu_cuda.h \
	%D%/include/starpu_cuda_types.h \
	%D%/include/starpu_cusolver.h \
	%D%/include/starpu_cusparse.h \
	%D%/include/starpu_data.h \
	%D%/include/starpu_data_filters.h \
	%D%/include/starpu_data_interfaces.h \
	%D%/include/starpu_deprecated_api.h \
	%D%/include/starpu_disk.h \
	%D%/include/starpu_driver.h \
	%D%/include/starpu_expert.h \
	%D%/include/starpu_fxt.h \
	%D%/include/starpu_hash.h \
	%D%/include/starpu_helper.h \
	%D%/include/starpu_hip.h \
	%D%/include/starpu_hipblas.h \
	%D%/include/starpu_hipsolver.h \
	%D%/include/starpu_max_fpga.h \
	%D%/include/starpu_mic.h \
	%D%/include/starpu_mpi_ms.h \
	%D%/include/starpu_opencl.h \
	%D%/include/starpu_openmp.h \
	%D%/include/starpu_parallel_worker.h \
	%D%/include/starpu_perf_monitoring.h \
	%D%/include/starpu_perf_steering.h \
	%D%/include/starpu_perfmodel.h \
	%D%/include/starpu_profiling.h \
	%D%/include/starpu_profiling_tool.h \
	%D%/include/starpu_rand.h \
	%D%/include/starpu_sched_component.h \
	%D%/include/starpu_sched_ctx.h \
	%D%/include/starpu_sched_ctx_hypervisor.h \
	%D%/include/starpu_scheduler.h \
	%D%/include/starpu_simgrid_wrap.h \
	%D%/include/starpu_sink.h \
	%D%/include/starpu_stdlib.h \
	%D%/include/starpu_sycl.h \
	%D%/include/starpu_syclblas.h \
	%D%/include/starpu_task.h \
	%D%/include/starpu_task_bundle.h \
	%D%/include/starpu_task_dep.h \
	%D%/include/starpu_task_list.h \
	%D%/include/starpu_task_util.h \
	%D%/include/starpu_thread.h \
	%D%/include/starpu_thread_util.h \
	%D%/include/starpu_tree.h \
	%D%/include/starpu_util.h \
	%D%/include/starpu_worker.h
starpuschedulersdir = $(starpuincludedir)/schedulers
dist_starpuschedulers_HEADERS = \
	%D%/include/schedulers/starpu_heteroprio.h \
	%D%/include/schedulers/starpu_hpbasic.h \
	%D%/include/schedulers/starpu_hplookahead.h \
	%D%/include/schedulers/starpu_hplookahead_sync_graphs.h \
	%D%/include/schedulers/starpu_scheduler_toolbox.h
pkgconfig_DATA += %D%/orrery-starpu.pc

# A folder for programs whose build searches for StarPU.
EXTRA_DIST += %D%/install-prefix.sh
install-starpu-prefix: $(starpu_library)
	@[ -n '$(STARPU_PREFIX)' ] || \
	  { echo 'make install-starpu-prefix: STARPU_PREFIX=DIR is missing' >&2; exit 1; }
	sh $(srcdir)/%D%/install-prefix.sh '$(STARPU_PREFIX)' \
	  $(srcdir)/%D%/include . $(ORR_LIBRARY_MAJOR)
.PHONY: install-starpu-prefix
