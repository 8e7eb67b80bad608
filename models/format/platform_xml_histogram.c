/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads <histogram>: the distribution of durations (histogram.h). */
#include "models/format/platform_reader.h"

#define MAX_BINS 10000
#define MAX_SAMPLES G_MAXINT

static void start_histogram(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;

    g_array_set_size(reader->bins, 0);
    g_free(reader->histogram_source);
    reader->histogram_source = g_strdup(orr_xml_text(xml, "source"));
}

static void start_bin(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_histogram_bin bin = {.from = 0};
    unsigned index = reader->bins->len;
    const char *fault;

    if (!orr_xml_time(xml, "from", &bin.from) ||
        !orr_xml_time(xml, "to", &bin.to) ||
        !orr_xml_count(xml, "samples", 0, MAX_SAMPLES, &bin.samples))
        return;
    g_array_append_val(reader->bins, bin);
    fault = orr_histogram_fault(
        &g_array_index(reader->bins, struct orr_histogram_bin, 0), index);
    if (fault)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "this <bin> %s", fault);
    else if (index >= MAX_BINS)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d bins", MAX_BINS);
}

/* Gives the histogram to all devices of the current <duration>. */
static void end_histogram(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_platform_kernel *kernel =
        &platform->kernels[platform->kernel_count - 1];
    struct orr_histogram *histogram = orr_histogram_new(
        &g_array_index(reader->bins, struct orr_histogram_bin, 0),
        reader->bins->len);

    (void)xml;
    histogram->source = g_strdup(reader->histogram_source);
    g_ptr_array_add(platform->histograms, histogram);
    for (unsigned i = 0; i < reader->opened; i++)
        kernel->durations[kernel->count - 1 - i].histogram = histogram;
}

static const struct orr_xml_element bin_element = {
    .name = "bin",
    .required = {"from", "to", "samples"},
    .start = start_bin,
};

const struct orr_xml_element orr_platform_xml_histogram = {
    .name = "histogram",
    .optional = {"source"},
    .children = {{&bin_element, ORR_XML_SOME}},
    .start = start_histogram,
    .end = end_histogram,
};
