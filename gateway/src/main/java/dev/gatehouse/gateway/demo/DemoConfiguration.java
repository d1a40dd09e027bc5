package dev.gatehouse.gateway.demo;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.realm.file.ConfigurationSchema;
import dev.gatehouse.common.realm.file.Configuration;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The demo's configuration files. They are written from the jar's templates at each start, so that a newer Gatehouse
 * brings its newer demo; a file that was changed by hand is not overwritten. The schemas beside them are for editors.
 */
public final class DemoConfiguration {
  private static final String REALM = "realms/demo.yaml";
  private static final String APP_ROUTE = "  - name: app\n";

  /** Without a cache, which would not pass the balancer's field on. */
  private static final String NODES_ROUTE =
      """
        - name: nodes
          path: /nodes
          upstream: http://127.0.0.1:@app@
          inject: {Remote-User: user, Remote-Roles: roles}
      """;

  private static final String AGENT = "agent/agent.yaml";

  private static final List<String> FILES = List.of("gatehouse.yaml", REALM, AGENT);

  private final Path folder;
  private final Configuration.Source source;
  private final List<String> files;

  /** Creates the configuration of a demo that reads it from these files. */
  public DemoConfiguration(Path folder) {
    this(folder, Configuration.Source.FILES);
  }

  /** @param source where the demo's node has its configuration */
  public DemoConfiguration(Path folder, Configuration.Source source) {
    this(folder, source, FILES);
  }

  private DemoConfiguration(Path folder, Configuration.Source source, List<String> files) {
    this.folder = folder;
    this.source = source;
    this.files = files;
  }

  /** Returns the configuration of a demo of several nodes: the realm, without the node. */
  public static DemoConfiguration realm(Path folder) {
    return new DemoConfiguration(folder, Configuration.Source.DATABASE, List.of(REALM, AGENT));
  }

  /** Writes the files that were not changed by hand; returns the others. */
  public List<Path> write(DemoPorts ports) {
    List<Path> changed = new ArrayList<>();
    try {
      DemoAgent.ensure(folder);
      for (String name : files) {
        Path file = folder.resolve(name);
        if (isChangedByHand(file)) {
          changed.add(file);
        } else {
          write(file, ports.fillIn(text(name)).replace("@source@", source.name().toLowerCase(Locale.ROOT)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(changed);
  }

  /** Writes the schemas. The node does not need them, so its start does not wait for them. */
  public void writeSchemas() {
    try {
      write(folder.resolve("gatehouse.schema.json"), ConfigurationSchema.GATEHOUSE.json());
      write(folder.resolve("realm.schema.json"), ConfigurationSchema.REALM.json());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isChangedByHand(Path file) throws IOException {
    Path mark = mark(file);
    return Files.exists(file) && !(Files.exists(mark) && Files.readString(mark).equals(digest(Files.readString(file))));
  }

  /** The mark file contains the digest of the written file; it is hidden, so that it is not taken for configuration. */
  private static Path mark(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".written");
  }

  private static void write(Path file, String text) throws IOException {
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return;
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text);
    Files.writeString(mark(file), digest(text));
  }

  private String text(String name) throws IOException {
    String text = template(name);
    return files.equals(FILES) ? text : text.replace(APP_ROUTE, NODES_ROUTE + APP_ROUTE);
  }

  private static String template(String name) throws IOException {
    try (InputStream in = DemoConfiguration.class.getResourceAsStream("/demo/" + name)) {
      if (in == null) {
        throw new IllegalStateException("demo/" + name + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String digest(String text) {
    return Sha256.hex(text);
  }
}
