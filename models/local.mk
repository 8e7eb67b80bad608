liborrery_core_a_SOURCES += \
	%D%/api.h \
	%D%/bounds/bounds.c %D%/bounds/bounds.h \
	%D%/bounds/bounds_area.h \
	%D%/bounds/bounds_transfer.c \
	%D%/bounds/bounds_updates.c %D%/bounds/bounds_updates.h \
	%D%/platform/bus.c %D%/platform/bus.h \
	%D%/base/csv_line.c %D%/base/csv_line.h \
	%D%/base/error.c %D%/base/error.h \
	%D%/errors.c %D%/errors.h \
	%D%/base/sized.c %D%/base/sized.h \
	%D%/base/elf_imports.c %D%/base/elf_imports.h \
	%D%/base/source_line.c %D%/base/source_line.h \
	%D%/base/file.c %D%/base/file.h \
	%D%/base/folder.c %D%/base/folder.h \
	%D%/base/input.c %D%/base/input.h \
	%D%/base/bytes.h \
	%D%/base/writer.h \
	%D%/base/json_read.c %D%/base/json_read.h \
	%D%/base/lines.c %D%/base/lines.h \
	%D%/cost/flops.c %D%/cost/flops.h \
	%D%/energy/meter.c %D%/energy/meter.h \
	%D%/energy/power.c %D%/energy/power.h \
	%D%/energy/power_table.c %D%/energy/power_table.h \
	%D%/platform/parameters.c %D%/platform/parameters.h \
	%D%/platform/parameters_match.c \
	%D%/platform/parameters_value.c \
	%D%/base/glob.c %D%/base/glob.h \
	%D%/heap.c %D%/heap.h \
	%D%/digits.h \
	%D%/cost/histogram.c %D%/cost/histogram.h \
	%D%/cost/lognormal.c %D%/cost/lognormal.h \
	%D%/cost/pitch.c %D%/cost/pitch.h \
	%D%/platform/devices.c %D%/platform/devices.h \
	%D%/platform/plausibility.c %D%/platform/plausibility.h \
	%D%/platform/interconnect.c %D%/platform/interconnect.h \
	%D%/platform/measured_tile.c %D%/platform/measured_tile.h \
	%D%/import/hwloc_links.c %D%/import/hwloc_links.h \
	%D%/import/hwloc_xml.c %D%/import/hwloc_xml.h \
	%D%/bounds/workload.c %D%/bounds/workload.h \
	%D%/bounds/linear_program.c %D%/bounds/linear_program.h \
	%D%/platform/platform.c %D%/platform/platform.h \
	%D%/platform/platform_change.c %D%/platform/platform_change.h \
	%D%/import/platform_find.c %D%/import/platform_find.h \
	%D%/platform/platform_resize.c %D%/platform/platform_resize.h \
	%D%/platform/regression.c %D%/platform/regression.h \
	%D%/platform/power_change.c %D%/platform/power_change.h \
	%D%/import/bandwidth.h \
	%D%/import/bandwidth_apply.c \
	%D%/import/bandwidth_read.c \
	%D%/import/bandwidth_wiring.c \
	%D%/import/kernel_times.c %D%/import/kernel_times.h \
	%D%/import/platform_curves.c \
	%D%/import/nominal_power.c %D%/import/nominal_power.h \
	%D%/import/platform_parts.c %D%/import/platform_parts.h \
	%D%/import/platform_hwloc.c %D%/import/platform_hwloc.h \
	%D%/format/platform_save.c %D%/format/platform_save.h \
	%D%/fit/curve.c %D%/fit/curve.h \
	%D%/fit/history.c %D%/fit/history.h \
	%D%/fit/prediction.c %D%/fit/prediction.h \
	%D%/fit/scaling.c %D%/fit/scaling.h \
	%D%/starpu/platform_starpu.c %D%/starpu/platform_starpu.h \
	%D%/format/platform_xml.c %D%/format/platform_xml.h \
	%D%/format/platform_xml_costs.c \
	%D%/format/platform_xml_power.c \
	%D%/format/platform_reader.c %D%/format/platform_reader.h \
	%D%/import/mapping.c %D%/import/mapping.h \
	%D%/import/mapping_read.c \
	%D%/import/record.c %D%/import/record.h \
	%D%/import/record_csv.c \
	%D%/import/record_private.h \
	%D%/import/record_starpu.c \
	%D%/rng.c %D%/rng.h \
	%D%/time.c \
	%D%/cost/share.c %D%/cost/share.h \
	%D%/starpu/starpu_bus.c \
	%D%/starpu/starpu_codelet.c \
	%D%/starpu/starpu_files.c \
	%D%/starpu/starpu_kernels.c \
	%D%/starpu/starpu_machine.c \
	%D%/starpu/starpu_operands.c %D%/starpu/starpu_operands.h \
	%D%/starpu/starpu_private.h \
	%D%/starpu/starpu_shape.c %D%/starpu/starpu_shape.h \
	%D%/starpu/starpu_symbols.c %D%/starpu/starpu_symbols.h \
	%D%/starpu/starpu_text.c \
	%D%/base/name_index.c %D%/base/name_index.h \
	%D%/base/names.c %D%/base/names.h \
	%D%/base/shared_object.c %D%/base/shared_object.h \
	%D%/base/statistics.c %D%/base/statistics.h \
	%D%/platform/switches.c %D%/platform/switches.h \
	%D%/time.h \
	%D%/platform/topology.c %D%/platform/topology.h \
	%D%/platform/gpu_clone.c %D%/platform/gpu_clone.h \
	%D%/base/units.c %D%/base/units.h \
	%D%/xml/xml.h \
	%D%/xml/xml_foreign.c \
	%D%/xml/xml_grammar.c %D%/xml/xml_grammar.h \
	%D%/xml/xml_read.c \
	%D%/xml/xml_reader.c %D%/xml/xml_reader.h \
	%D%/xml/xml_values.c \
	%D%/dag/dag.c %D%/dag/dag.h \
	%D%/dag/dag_builder.c %D%/dag/dag_builder.h \
	%D%/dagtime/assumed_speed.c %D%/dagtime/assumed_speed.h \
	%D%/dagtime/dag_times.c %D%/dagtime/dag_times.h \
	%D%/dagfile/dag_csv.c \
	%D%/dagfile/dag_dax.c \
	%D%/dagfile/dag_dot.c \
	%D%/dagfile/dag_dot_lex.c \
	%D%/dagfile/dag_dot_lex.h \
	%D%/dag/dag_figures.c %D%/dag/dag_figures.h \
	%D%/dag/dag_generate.c %D%/dag/dag_generate.h \
	%D%/dag/dag_finish.c \
	%D%/dag/dag_dependencies.c %D%/dag/dag_dependencies.h \
	%D%/dag/dag_mark.c %D%/dag/dag_mark.h \
	%D%/dag/dag_names.c %D%/dag/dag_names.h \
	%D%/dag/dag_number.c %D%/dag/dag_number.h \
	%D%/dagfile/dag_read.c %D%/dagfile/dag_read.h \
	%D%/dagfile/dag_read_private.h \
	%D%/dagfile/dag_rec.c \
	%D%/dagfile/dag_record.c %D%/dagfile/dag_record.h \
	%D%/dagfile/dag_record_end.c \
	%D%/dagfile/dag_record_private.h \
	%D%/dag/dag_sort.c %D%/dag/dag_sort.h \
	%D%/dagfile/dag_stg.c \
	%D%/dagfile/dag_wfformat.c \
	%D%/dagfile/dag_wfformat_items.c \
	%D%/dagfile/dag_wfformat_private.h \
	%D%/dagfile/dag_write.c %D%/dagfile/dag_write.h \
	%D%/dagfile/dag_write_csv.c \
	%D%/dagfile/dag_write_dot.c \
	%D%/dagfile/dag_write_names.c \
	%D%/dagfile/dag_write_private.h \
	%D%/dagfile/dag_write_rec.c \
	%D%/dagfile/dag_write_text.c \
	%D%/dagfile/dag_write_wfformat.c
