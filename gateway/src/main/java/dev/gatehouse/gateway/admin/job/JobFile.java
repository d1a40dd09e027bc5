package dev.gatehouse.gateway.admin.job;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.gateway.admin.job.JobView.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The file with the jobs of a node. It is for people: a file that cannot be read or written is logged, and stops no job. */
final class JobFile {

  private static final Logger LOG = LoggerFactory.getLogger(JobFile.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** A job with the role that it needs. */
  record Remembered(JobView view, AdministratorRole role) {

    /** Returns the job as it is after the end of its node. */
    Remembered interrupted() {
      return view.isRunning()
          ? new Remembered(
              new JobView(
                  view.id(), view.kind(), view.realm(), view.administrator(), State.INTERRUPTED.word(), view.startedAt(), Optional.empty(),
                  view.progress(), Optional.empty(), Optional.of("The node ended before the job did. What was done until then stays.")),
              role)
          : this;
    }
  }

  private final Optional<Path> file;

  /** @param file empty to remember nothing */
  JobFile(Optional<Path> file) {
    this.file = file;
  }

  /** Returns the jobs of the former run, of which none runs any more. */
  List<Remembered> read() {
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

  void write(List<Remembered> jobs) {
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
