package dev.gatehouse.gateway.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A step of packaging: it makes of CycloneDX's list of dependencies the list of the libraries that are packaged, with the digests of
 * their files. Spring Boot leaves its starters out, which are empty, and adds the tool that extracts the jar; we remove signatures.
 */
public final class LibrarySbom {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String OURS = "dev.gatehouse";
  private static final Pattern ADDED = Pattern.compile("(spring-boot-jarmode-tools)-([0-9][^/]*)\\.jar");

  private final ObjectNode bom;
  private final Map<String, Path> jars = new TreeMap<>();

  private LibrarySbom(ObjectNode bom, Path folder) throws IOException {
    this.bom = bom;
    try (Stream<Path> files = Files.list(folder)) {
      files.forEach(file -> jars.put(file.getFileName().toString(), file));
    }
  }

  /** Takes the list of CycloneDX's plugin for Maven, the folder of the libraries, the time in seconds, and the file to write. */
  public static void main(String[] arguments) throws IOException {
    try {
      Instant time = Instant.ofEpochSecond(Long.parseLong(arguments[2]));
      Files.writeString(Path.of(arguments[3]), of(Files.readString(Path.of(arguments[0])), Path.of(arguments[1]), time));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  /** @throws IllegalArgumentException if a library is packaged that is not listed */
  static String of(String listed, Path folder, Instant time) throws IOException {
    LibrarySbom sbom = new LibrarySbom((ObjectNode) JSON.readTree(listed), folder);
    sbom.change(time);
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(sbom.bom) + "\n";
  }

  private void change(Instant time) throws IOException {
    ArrayNode components = JSON.createArrayNode();
    Set<String> gone = new LinkedHashSet<>();
    for (JsonNode each : bom.withArray("components")) {
      ObjectNode component = (ObjectNode) each;
      Optional<Path> jar = Optional.ofNullable(jars.remove(fileName(component)));
      if (jar.isPresent()) {
        components.add(described(component, jar.get()));
      } else {
        gone.add(text(component, "bom-ref"));
      }
    }
    for (Map.Entry<String, Path> left : jars.entrySet()) {
      components.add(added(left.getKey(), left.getValue()));
    }
    bom.set("components", components);
    withoutGone(gone);
    ObjectNode metadata = bom.withObject("metadata");
    ObjectNode program = metadata.withObject("component").put("type", "application").put("name", "gatehouse");
    program.remove("externalReferences");
    // The same sources give the same list.
    bom.remove("serialNumber");
    metadata.put("timestamp", time.toString());
  }

  /** What Spring Boot adds when it packs the jar. */
  private static ObjectNode added(String name, Path jar) throws IOException {
    Matcher matcher = ADDED.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "The library " + name + " is packaged, but CycloneDX did not list it: is it a dependency of the module gateway?");
    }
    String purl = "pkg:maven/org.springframework.boot/" + matcher.group(1) + "@" + matcher.group(2) + "?type=jar";
    ObjectNode component =
        JSON.createObjectNode()
            .put("type", "library")
            .put("bom-ref", purl)
            .put("group", "org.springframework.boot")
            .put("name", matcher.group(1))
            .put("version", matcher.group(2));
    component.putArray("licenses").addObject().putObject("license").put("id", "Apache-2.0");
    return described(component.put("purl", purl), jar);
  }

  private static ObjectNode described(ObjectNode component, Path jar) throws IOException {
    ArrayNode hashes = JSON.createArrayNode();
    for (String algorithm : List.of("SHA-256", "SHA-512")) {
      hashes.addObject().put("alg", algorithm).put("content", digest(algorithm, jar));
    }
    component.set("hashes", hashes);
    if (OURS.equals(component.path("group").asString(""))) {
      // Those of Spring Boot, whose POM is the parent of ours.
      component.remove("externalReferences");
    }
    return component;
  }

  private static String digest(String algorithm, Path file) throws IOException {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The name of the file of a component, as Maven names it. */
  private static String fileName(ObjectNode component) {
    Map<String, String> qualifiers = new HashMap<>();
    String query = URI.create(text(component, "purl")).getSchemeSpecificPart().replaceFirst("[^?]*\\??", "");
    for (String pair : query.split("&")) {
      String[] parts = pair.split("=", 2);
      qualifiers.put(parts[0], parts.length > 1 ? parts[1] : "");
    }
    String classifier = qualifiers.containsKey("classifier") ? "-" + qualifiers.get("classifier") : "";
    return text(component, "name") + "-" + text(component, "version") + classifier + "." + qualifiers.getOrDefault("type", "jar");
  }

  private static String text(ObjectNode node, String field) {
    return requireNonNull(node.get(field), () -> field + " in " + node).asString();
  }

  /** Whoever depends on a component that is not packaged depends on what that one depends on. */
  private void withoutGone(Set<String> gone) {
    Map<String, List<String>> all = new HashMap<>();
    for (JsonNode each : bom.withArray("dependencies")) {
      List<String> on = new ArrayList<>();
      each.path("dependsOn").forEach(one -> on.add(one.asString()));
      all.put(each.path("ref").asString(""), on);
    }
    ArrayNode kept = JSON.createArrayNode();
    for (JsonNode each : bom.withArray("dependencies")) {
      String ref = each.path("ref").asString("");
      if (!gone.contains(ref)) {
        Set<String> on = new LinkedHashSet<>();
        collect(ref, all, gone, on);
        ArrayNode names = kept.addObject().put("ref", ref).putArray("dependsOn");
        on.forEach(names::add);
      }
    }
    bom.set("dependencies", kept);
  }

  private static void collect(String ref, Map<String, List<String>> all, Set<String> gone, Set<String> into) {
    for (String on : all.getOrDefault(ref, List.of())) {
      if (gone.contains(on)) {
        collect(on, all, gone, into);
      } else {
        into.add(on);
      }
    }
  }
}
