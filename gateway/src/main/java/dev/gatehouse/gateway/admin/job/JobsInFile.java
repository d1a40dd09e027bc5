package dev.gatehouse.gateway.admin.job;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The jobs of one node, in a file. It is for people: a file that cannot be read or written is logged, and stops no job. */
final class JobsInFile implements JobRecords {

  private static final Logger LOG = LoggerFactory.getLogger(JobsInFile.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Optional<Path> file;

  // Guarded by this object; the newest first.
  private final List<Remembered> jobs = new ArrayList<>();

  /** @param file empty to forget all jobs at the end of the node */
  JobsInFile(Optional<Path> file) {
    this.file = file;
    jobs.addAll(read());
  }

  @Override
  public boolean areShared() {
    return false;
  }

  @Override
  public synchronized Optional<String> add(Remembered job) {
    jobs.addFirst(job);
    write();
    return Optional.empty();
  }

  @Override
  public boolean note(Remembered job) {
    return true;
  }

  @Override
  public synchronized void end(Remembered job) {
    jobs.removeIf(other -> other.view().id().equals(job.view().id()));
    List<Remembered> ended = jobs.stream().filter(other -> !other.view().isRunning()).toList();
    ended.stream().skip(Jobs.MOST_ENDED - 1).forEach(jobs::remove);
    jobs.addFirst(job);
    write();
  }

  @Override
  public boolean cancel(String id) {
    return false;
  }

  @Override
  public synchronized List<Remembered> all() {
    return List.copyOf(jobs);
  }

  /** Returns the jobs of the former run, of which none runs any more. */
  private List<Remembered> read() {
    if (file.filter(Files::isRegularFile).isEmpty()) {
      return List.of();
    }
    try {
      Remembered[] read = JSON.readValue(Files.readAllBytes(file.get()), Remembered[].class);
      return List.of(read).stream().map(Remembered::interrupted).toList();
    } catch (IOException | JacksonException | NullPointerException e) {
      LOG.warn("{} cannot be read; the jobs in it are forgotten: {}", file.get(), e.toString());
      return List.of();
    }
  }

  private void write() {
    if (file.isEmpty()) {
      return;
    }
    try {
      PrivateFiles.replace(file.get(), JSON.writeValueAsString(jobs).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.warn("{} cannot be written; a restart forgets the jobs: {}", file.get(), e.toString());
    }
  }
}
