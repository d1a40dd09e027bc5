package dev.gatehouse.gateway.traffic;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.ResponseConfig.Maintenance;
import dev.gatehouse.common.postgres.SharedSwitches;
import dev.gatehouse.common.postgres.SharedSwitches.Kind;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Routes that administrators have switched to maintenance or back at run time; these switches take precedence over the
 * configuration. Stored in a file of the data directory, so that they survive a restart, or shared by all nodes. Reading never blocks.
 */
public final class MaintenanceSwitches implements AdminResource.Maintenances {

  /** The file's name in the data directory. */
  public static final String NAME = "maintenance";

  private final Optional<Path> file;
  private final Optional<SharedSwitches> shared;
  private volatile Map<String, Switched> switched;

  /** @param file the file of the switches; empty to store them in memory only */
  public MaintenanceSwitches(Optional<Path> file) {
    this.file = file;
    this.shared = Optional.empty();
    this.switched = file.map(path -> parsed(settings(path))).orElse(Map.of());
  }

  /** @param shared the switches of all nodes, in place of a file */
  public MaintenanceSwitches(SharedSwitches shared) {
    this.file = Optional.empty();
    this.shared = Optional.of(shared);
    this.switched = Map.of();
    shared.listen(Kind.MAINTENANCE, settings -> switched = parsed(settings));
  }

  /** The maintenance of a route; empty if it is not under maintenance. */
  public Optional<Maintenance> of(String realm, RouteConfig route, Instant now) {
    Map<String, Switched> known = switched;
    Optional<Maintenance> configured = route.response().maintenance();
    if (known.isEmpty() && configured.isEmpty()) {
      return Optional.empty();
    }
    Switched by = known.get(key(realm, route.name()));
    Maintenance base = configured.orElse(Maintenance.PLAIN);
    Maintenance effective = by == null ? base : base.switched(by.on(), by.until());
    boolean over = effective.until().filter(until -> !now.isBefore(until)).isPresent();
    return effective.on() && !over ? Optional.of(effective) : Optional.empty();
  }

  @Override
  public Optional<Switched> find(String realm, String route) {
    return Optional.ofNullable(switched.get(key(realm, route)));
  }

  @Override
  public synchronized void set(String realm, String route, Switched how) {
    if (shared.isPresent()) {
      shared.get().set(Kind.MAINTENANCE, key(realm, route), Optional.of(text(how)));
      return;
    }
    Map<String, Switched> next = new HashMap<>(switched);
    next.put(key(realm, route), how);
    store(next);
  }

  @Override
  public synchronized boolean clear(String realm, String route) {
    if (shared.isPresent()) {
      boolean known = switched.containsKey(key(realm, route));
      shared.get().set(Kind.MAINTENANCE, key(realm, route), Optional.empty());
      return known;
    }
    Map<String, Switched> next = new HashMap<>(switched);
    boolean was = next.remove(key(realm, route)) != null;
    if (was) {
      store(next);
    }
    return was;
  }

  /** The switches are written to disk first, so that an acknowledged change survives. */
  private void store(Map<String, Switched> next) {
    file.ifPresent(
        path -> write(path, next.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> text(entry.getValue())))));
    switched = Map.copyOf(next);
  }

  /** Writes settings as {@link #settings} reads them. */
  public static void write(Path path, Map<String, String> settings) {
    Properties properties = new Properties();
    settings.forEach(properties::setProperty);
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    try {
      StringWriter text = new StringWriter();
      properties.store(text, "Routes switched to maintenance or back; written by Gatehouse");
      Files.createDirectories(path.toAbsolutePath().getParent());
      try (FileChannel out =
          FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + path, e);
    }
  }

  /** Returns the settings in a file, in the form in which all nodes share them; none if there is no file. */
  public static Map<String, String> settings(Path path) {
    if (!Files.exists(path)) {
      return Map.of();
    }
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + path, e);
    }
    return properties.stringPropertyNames().stream().collect(Collectors.toMap(key -> key, properties::getProperty));
  }

  private static String text(Switched how) {
    return (how.on() ? "on" : "off") + how.until().map(until -> " " + until).orElse("");
  }

  private static Map<String, Switched> parsed(Map<String, String> settings) {
    Map<String, Switched> read = new HashMap<>();
    settings.forEach(
        (key, setting) -> {
          String[] how = setting.split(" ", 2);
          read.put(key, new Switched(how[0].equals("on"), how.length > 1 ? Optional.of(Instant.parse(how[1])) : Optional.empty()));
        });
    return Map.copyOf(read);
  }

  private static String key(String realm, String route) {
    return realm + " " + route;
  }
}
