package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.io.Reader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A step of packaging: the list, in the form of CycloneDX, of what an image has below the program: Debian's packages and Java. */
public final class SystemSbom {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private SystemSbom() {}

  /**
   * Takes the file with Debian's packages, the name of Debian's release, the file {@code release} of Java, the time in seconds, and the file
   * to write. A line of the first has name, version, architecture and source package, with tabs between.
   */
  public static void main(String[] arguments) throws IOException {
    Properties java = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(arguments[2]))) {
      java.load(reader);
    }
    Instant time = Instant.ofEpochSecond(Long.parseLong(arguments[3]));
    Files.writeString(Path.of(arguments[4]), of(Files.readAllLines(Path.of(arguments[0])), arguments[1], java, time));
  }

  static String of(List<String> packages, String suite, Properties java, Instant time) {
    ObjectNode bom = JSON.createObjectNode().put("bomFormat", "CycloneDX").put("specVersion", "1.6").put("version", 1);
    ObjectNode metadata = bom.putObject("metadata");
    metadata.put("timestamp", time.toString());
    metadata.putObject("component").put("type", "container").put("name", "base of gatehouse").put("version", suite);
    ArrayNode components = bom.putArray("components");
    add(components, "operating-system", "debian", suite, "pkg:generic/debian@" + encoded(suite));
    String version = unquoted(java, "JAVA_RUNTIME_VERSION");
    add(components, "platform", "openjdk", version, "pkg:generic/openjdk@" + encoded(version))
        .putObject("supplier")
        .put("name", unquoted(java, "IMPLEMENTOR"));
    for (String line : packages) {
      String[] fields = line.split("\t", -1);
      if (fields.length != 4) {
        throw new IllegalArgumentException("Not name, version, architecture and source package with tabs between: " + line);
      }
      String purl = "pkg:deb/debian/" + encoded(fields[0]) + "@" + encoded(fields[1]) + "?arch=" + fields[2] + "&distro=" + encoded(suite);
      String upstream = fields[3].equals(fields[0]) ? "" : "&upstream=" + encoded(fields[3]);
      add(components, "library", fields[0], fields[1], purl + upstream);
    }
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(bom) + "\n";
  }

  private static ObjectNode add(ArrayNode to, String type, String name, String version, String purl) {
    return to.addObject().put("type", type).put("bom-ref", purl).put("name", name).put("version", version).put("purl", purl);
  }

  private static String unquoted(Properties java, String key) {
    return java.getProperty(key, "unknown").replace("\"", "");
  }

  /** As package URLs are encoded: what is not unreserved in RFC 3986. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("%7E", "~").replace("*", "%2A");
  }
}
