package dev.gatehouse.common.realm.inuse;

import dev.gatehouse.common.realm.yaml.NamedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The state of files that are looked at again and again. Their contents are read only if an attribute changed, if they changed so
 * recently that one more change could have the same time, and every {@link #READ_AGAIN}, because a network's file system may show
 * old attributes. Not thread-safe.
 */
final class FileStates {

  private static final Duration READ_AGAIN = Duration.ofSeconds(5);

  /** Longer than the steps of any file system's clock. */
  private static final Duration RECENT = Duration.ofSeconds(3);

  /** The time of the last change of content or attributes cannot be set by programs, unlike that of the last modification. */
  private static final String ATTRIBUTES = "unix:dev,ino,size,ctime";

  /** @param readAt in nanoseconds of {@link System#nanoTime} */
  private record Look(Map<Path, Map<String, Object>> attributes, String state, long readAt) {}

  private final Function<List<Path>, String> contents;
  private final Duration recent;
  private final InstantSource clock;
  private Optional<Look> last = Optional.empty();

  FileStates(InstantSource clock) {
    this(FileStates::contents, RECENT, clock);
  }

  /** @param contents returns the state of the files' contents */
  FileStates(Function<List<Path>, String> contents, Duration recent, InstantSource clock) {
    this.contents = contents;
    this.recent = recent;
    this.clock = clock;
  }

  /** Returns the present state of the files; comparable with {@link NamedFiles#state}. */
  String of(List<Path> files) {
    Map<Path, Map<String, Object>> attributes = new LinkedHashMap<>();
    files.forEach(file -> attributes.put(file, attributes(file)));
    Optional<Look> same =
        last.filter(look -> look.attributes().equals(attributes))
            .filter(look -> System.nanoTime() - look.readAt() < READ_AGAIN.toNanos());
    if (same.isPresent()) {
      return same.get().state();
    }
    String state = contents.apply(files);
    last = attributes.values().stream().anyMatch(this::isRecent)
        ? Optional.empty()
        : Optional.of(new Look(attributes, state, System.nanoTime()));
    return state;
  }

  private static String contents(List<Path> files) {
    NamedFiles contents = new NamedFiles();
    files.forEach(contents::read);
    return contents.state();
  }

  /** Empty if the file is missing. Without the attributes (not on Unix), contents are read every time. */
  private static Map<String, Object> attributes(Path file) {
    try {
      return Files.readAttributes(file, ATTRIBUTES);
    } catch (IOException e) {
      return Map.of();
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return Map.of("ctime", FileTime.fromMillis(Long.MAX_VALUE));
    }
  }

  private boolean isRecent(Map<String, Object> attributes) {
    return attributes.get("ctime") instanceof FileTime changed
        && changed.toMillis() > clock.millis() - recent.toMillis();
  }
}
