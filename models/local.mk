liborrery_core_la_SOURCES += \
	%D%/api.h \
	%D%/bounds.c %D%/bounds.h \
	%D%/bounds_mixed.c \
	%D%/bounds_private.h \
	%D%/bounds_transfer.c \
	%D%/bounds_updates.c \
	%D%/bus.c %D%/bus.h \
	%D%/error.c %D%/error.h \
	%D%/file.c %D%/file.h \
	%D%/flops.c %D%/flops.h \
	%D%/figures.c %D%/figures.h \
	%D%/figures_match.c \
	%D%/figures_value.c \
	%D%/glob.c %D%/glob.h \
	%D%/heap.c %D%/heap.h \
	%D%/histogram.c %D%/histogram.h \
	%D%/lognormal.c %D%/lognormal.h \
	%D%/pitch.c %D%/pitch.h \
	%D%/interconnect.c %D%/interconnect.h \
	%D%/hwloc_links.c %D%/hwloc_links.h \
	%D%/hwloc_xml.c %D%/hwloc_xml.h \
	%D%/linear_program.c %D%/linear_program.h \
	%D%/platform.c %D%/platform.h \
	%D%/platform_change.c %D%/platform_change.h \
	%D%/platform_find.c \
	%D%/platform_resize.c %D%/platform_resize.h \
	%D%/platform_hwloc.c %D%/platform_hwloc.h \
	%D%/platform_save.c %D%/platform_save.h \
	%D%/platform_state.c \
	%D%/platform_starpu.c %D%/platform_starpu.h \
	%D%/platform_xml.c %D%/platform_xml.h \
	%D%/platform_xml_costs.c \
	%D%/platform_xml_flops.c \
	%D%/platform_xml_histogram.c \
	%D%/platform_xml_pitch.c \
	%D%/platform_xml_private.h \
	%D%/record.c %D%/record.h %D%/record_private.h \
	%D%/record_csv.c \
	%D%/record_starpu.c \
	%D%/rng.c %D%/rng.h \
	%D%/share.c %D%/share.h \
	%D%/starpu_bus.c \
	%D%/starpu_codelet.c \
	%D%/starpu_machine.c \
	%D%/starpu_private.h \
	%D%/starpu_text.c \
	%D%/statistics.c %D%/statistics.h \
	%D%/switches.c %D%/switches.h \
	%D%/time.h \
	%D%/topology.c %D%/topology.h \
	%D%/twin.c %D%/twin.h \
	%D%/units.c %D%/units.h \
	%D%/xml.c %D%/xml.h \
	%D%/xml_foreign.c \
	%D%/xml_grammar.c \
	%D%/xml_private.h \
	%D%/xml_values.c
