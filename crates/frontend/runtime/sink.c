/* Where the text of the printf family goes. Nothing is kept between calls:
 * every call writes through, so the order between stdout and stderr is the
 * order of the calls, and streams have no state that threads could race on. */
#include "model.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

void __model_sink_to_descriptor(struct model_sink *sink, int descriptor,
                              char *local) {
  *sink = (struct model_sink){
    .descriptor = descriptor, .bytes = local, .capacity = MODEL_SINK_BUFFER};
}

void __model_sink_to_memory(struct model_sink *sink, char *to, size_t capacity) {
  *sink = (struct model_sink){.descriptor = -1, .bytes = to, .capacity = capacity};
}

void __model_sink_to_heap(struct model_sink *sink) {
  *sink = (struct model_sink){.descriptor = -1, .grows = true};
}

/* Makes room for one more byte; false if there is none. */
static bool make_room(struct model_sink *sink) {
  if (sink->descriptor >= 0) {
    __selvedge_write(sink->descriptor, sink->bytes, sink->used);
    sink->used = 0;
    return true;
  }
  if (!sink->grows || sink->failed) return false;
  size_t capacity = sink->capacity == 0 ? 64 : 2 * sink->capacity;
  char *bytes = realloc(sink->bytes, capacity);
  if (bytes == NULL) {
    sink->failed = true;
    return false;
  }
  sink->bytes = bytes;
  sink->capacity = capacity;
  return true;
}

void __model_put(struct model_sink *sink, char c) {
  sink->total++;
  if (sink->used == sink->capacity && !make_room(sink)) return;
  sink->bytes[sink->used++] = c;
}

void __model_put_text(struct model_sink *sink, const char *text) {
  for (; *text != 0; text++) __model_put(sink, *text);
}

void __model_put_padding(struct model_sink *sink, char c, long count) {
  for (; count > 0; count--) __model_put(sink, c);
}

int __model_sink_finish(struct model_sink *sink) {
  if (sink->descriptor >= 0 && sink->used > 0) {
    __selvedge_write(sink->descriptor, sink->bytes, sink->used);
    sink->used = 0;
  }
  if (sink->failed) {
    errno = ENOMEM;
    return -1;
  }
  if (sink->total > INT_MAX) {
    errno = EOVERFLOW;
    return -1;
  }
  return (int)sink->total;
}
