package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.AccessLogConfig;
import dev.gatehouse.common.realm.AccessLogConfig.Format;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads {@code accessLog} of the node. */
final class AccessLogYaml {

  private static final Map<String, Format> FORMATS = new LinkedHashMap<>();

  static {
    FORMATS.put("json", Format.JSON);
    FORMATS.put("combined", Format.COMBINED);
  }

  private final YamlSection root;

  AccessLogYaml(YamlSection root) {
    this.root = root;
  }

  Optional<AccessLogConfig> read() {
    return root.section("accessLog").flatMap(AccessLogYaml::accessLog);
  }

  private static Optional<AccessLogConfig> accessLog(YamlSection section) {
    Optional<Path> file =
        section.required("file", v -> Optional.of(v.path()), "write the file to append to, like log/access.log");
    Format format = section.read("format", Format.JSON, v -> v.choice(FORMATS));
    boolean query = section.read("query", false, YamlValue::bool);
    long size = section.read("maxFileSize", 256L << 20, v -> v.size(64L << 10, 64L << 30));
    int keep = section.read("keep", 10, v -> v.integer(1, 1000));
    return file.map(path -> new AccessLogConfig(path, format, query, size, keep));
  }
}
