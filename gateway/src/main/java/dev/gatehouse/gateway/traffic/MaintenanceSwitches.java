package dev.gatehouse.gateway.traffic;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.ResponseConfig.Maintenance;
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

/**
 * Routes that administrators have switched to maintenance or back at run time; these switches take precedence over the
 * configuration. Stored in a file of the data directory, so that they survive a restart. Reading never blocks.
 */
public final class MaintenanceSwitches implements AdminResource.Maintenances {

  private final Optional<Path> file;
  private volatile Map<String, Switched> switched;

  /** @param file the file of the switches; empty to store them in memory only */
  public MaintenanceSwitches(Optional<Path> file) {
    this.file = file;
    this.switched = file.filter(Files::exists).map(MaintenanceSwitches::read).orElse(Map.of());
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
    Map<String, Switched> next = new HashMap<>(switched);
    next.put(key(realm, route), how);
    store(next);
  }

  @Override
  public synchronized boolean clear(String realm, String route) {
    Map<String, Switched> next = new HashMap<>(switched);
    boolean was = next.remove(key(realm, route)) != null;
    if (was) {
      store(next);
    }
    return was;
  }

  /** The switches are written to disk first, so that an acknowledged change survives. */
  private void store(Map<String, Switched> next) {
    file.ifPresent(path -> write(path, next));
    switched = Map.copyOf(next);
  }

  private static void write(Path path, Map<String, Switched> next) {
    Properties properties = new Properties();
    next.forEach((key, how) -> properties.setProperty(key, (how.on() ? "on" : "off") + how.until().map(u -> " " + u).orElse("")));
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

  private static Map<String, Switched> read(Path path) {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + path, e);
    }
    Map<String, Switched> read = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      String[] how = properties.getProperty(key).split(" ", 2);
      read.put(key, new Switched(how[0].equals("on"), how.length > 1 ? Optional.of(Instant.parse(how[1])) : Optional.empty()));
    }
    return Map.copyOf(read);
  }

  private static String key(String realm, String route) {
    return realm + " " + route;
  }
}
