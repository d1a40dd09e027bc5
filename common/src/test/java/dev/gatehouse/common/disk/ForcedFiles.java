package dev.gatehouse.common.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Records which files and folders this process forces to disk, by the events of the JDK. */
public final class ForcedFiles implements AutoCloseable {

  private final Recording recording = new Recording();

  public ForcedFiles() {
    recording.enable("jdk.FileForce").withoutThreshold().withoutStackTrace();
    recording.start();
  }

  /** The paths so far, in the order of time. */
  public List<String> paths() throws IOException {
    Path file = Files.createTempFile("forced", ".jfr");
    try {
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .sorted(Comparator.comparing(RecordedEvent::getStartTime))
          .map(event -> event.getString("path"))
          .toList();
    } finally {
      Files.delete(file);
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
