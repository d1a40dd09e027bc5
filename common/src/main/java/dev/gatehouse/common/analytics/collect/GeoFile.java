package dev.gatehouse.common.analytics.collect;

import com.maxmind.db.Reader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places from a file of cities in MaxMind's format (mmdb), such as GeoLite2-City. A file that was replaced by renaming is taken into use
 * within a minute; if that cannot be read, the last one stays. For one thread.
 */
public final class GeoFile implements Places, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(GeoFile.class);
  private static final Duration LOOKED_AT_EVERY = Duration.ofMinutes(1);

  /** In kilometres, for files that do not say how exact they are. */
  private static final double USUAL_RADIUS = 100;

  private final Path file;
  private final InstantSource time;
  private Optional<Reader> reader = Optional.empty();
  private Instant lookedAt = Instant.MIN;
  private FileTime version = FileTime.fromMillis(0);

  public GeoFile(Path file, InstantSource time) {
    this.file = file;
    this.time = time;
  }

  @Override
  public Optional<Place> find(InetAddress address) {
    refresh();
    try {
      return reader.isEmpty() ? Optional.empty() : place(reader.get().get(address, Map.class));
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} has no readable place of an address", file, e);
      return Optional.empty();
    }
  }

  private void refresh() {
    Instant now = time.instant();
    if (lookedAt != Instant.MIN && Duration.between(lookedAt, now).abs().compareTo(LOOKED_AT_EVERY) < 0) {
      return;
    }
    lookedAt = now;
    try {
      FileTime present = Files.getLastModifiedTime(file);
      if (!present.equals(version)) {
        version = present;
        Reader next = new Reader(file.toFile());
        close();
        reader = Optional.of(next);
        LOG.info("Places of addresses are read from {}", file);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} cannot be read; {}", file, reader.isEmpty() ? "no place of an address is known" : "the last one stays in use", e);
    }
  }

  /** Returns the place of an entry; absent fields make it unknown. */
  private static Optional<Place> place(@Nullable Map<?, ?> entry) {
    if (entry == null || !(entry.get("location") instanceof Map<?, ?> location)) {
      return Optional.empty();
    }
    Optional<Double> latitude = number(location.get("latitude"));
    Optional<Double> longitude = number(location.get("longitude"));
    if (latitude.isEmpty() || longitude.isEmpty()) {
      return Optional.empty();
    }
    double radius = number(location.get("accuracy_radius")).orElse(USUAL_RADIUS);
    return Optional.of(new Place(name(entry), latitude.get(), longitude.get(), radius));
  }

  private static Optional<Double> number(@Nullable Object value) {
    return value instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
  }

  private static String name(Map<?, ?> entry) {
    String country = entry.get("country") instanceof Map<?, ?> found && found.get("iso_code") instanceof String code ? code : "-";
    return entry.get("city") instanceof Map<?, ?> city
            && city.get("names") instanceof Map<?, ?> names
            && names.get("en") instanceof String name
        ? name + ", " + country
        : country;
  }

  @Override
  public void close() {
    try {
      if (reader.isPresent()) {
        reader.get().close();
      }
    } catch (IOException e) {
      LOG.debug("{} did not close in order", file, e);
    }
  }
}
