#include "core/input/span_source.h"

#include <algorithm>
#include <cstring>

namespace attention {
namespace {

zip_int64_t read(SpanSource& source, void* to, zip_uint64_t length) {
  const std::size_t count =
      std::min(static_cast<std::size_t>(length), source.bytes.size() - source.position);
  source.lastRead = source.position;
  if (count > 0)
    std::memcpy(to, source.bytes.data() + source.position, count);
  source.position += count;
  return static_cast<zip_int64_t>(count);
}

zip_int64_t seek(SpanSource& source, void* arguments, zip_uint64_t length) {
  const zip_int64_t target = zip_source_seek_compute_offset(source.position, source.bytes.size(),
                                                            arguments, length, &source.error);
  if (target < 0)
    return -1;
  source.position = static_cast<std::size_t>(target);
  return 0;
}

zip_int64_t stat(const SpanSource& source, void* to) {
  zip_stat_t status;
  zip_stat_init(&status);
  status.valid = ZIP_STAT_SIZE;
  status.size = source.bytes.size();
  std::memcpy(to, &status, sizeof status);
  return sizeof status;
}

zip_int64_t callback(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  SpanSource& source = *static_cast<SpanSource*>(state);
  switch (command) {
  case ZIP_SOURCE_SUPPORTS:
    return ZIP_SOURCE_SUPPORTS_SEEKABLE;
  case ZIP_SOURCE_OPEN:
    source.position = 0;
    return 0;
  case ZIP_SOURCE_READ:
    return read(source, data, length);
  case ZIP_SOURCE_SEEK:
    return seek(source, data, length);
  case ZIP_SOURCE_TELL:
    return static_cast<zip_int64_t>(source.position);
  case ZIP_SOURCE_STAT:
    return stat(source, data);
  case ZIP_SOURCE_ERROR:
    return zip_error_to_data(&source.error, data, length);
  case ZIP_SOURCE_CLOSE:
  case ZIP_SOURCE_FREE:
    return 0;
  default:
    zip_error_set(&source.error, ZIP_ER_OPNOTSUPP, 0);
    return -1;
  }
}

} // namespace

ZipArchive openZip(SpanSource& source, int& zipError) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* reader = zip_source_function_create(callback, &source, &error);
  zip_t* archive = reader == nullptr ? nullptr : zip_open_from_source(reader, ZIP_RDONLY, &error);
  if (archive == nullptr && reader != nullptr)
    zip_source_free(reader); // zip_open_from_source takes ownership only if it succeeds
  zipError = zip_error_code_zip(&error);
  zip_error_fini(&error);
  return ZipArchive(archive);
}

} // namespace attention
