package dev.gatehouse.gateway.admin.job;

import dev.gatehouse.common.postgres.JobTable;
import dev.gatehouse.common.postgres.JobTable.NewJob;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The jobs of all nodes, in their database. */
final class JobsInDatabase implements JobRecords {

  private static final Logger LOG = LoggerFactory.getLogger(JobsInDatabase.class);
  // A node of the next version may write more.
  private static final JsonMapper JSON = JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final JobTable table;
  private boolean begun;

  JobsInDatabase(JobTable table) {
    this.table = table;
  }

  /** The database may be away when the node starts. */
  @Override
  public synchronized void begin() {
    if (!begun) {
      table.begin();
      begun = true;
    }
  }

  @Override
  public boolean areShared() {
    return true;
  }

  @Override
  public Optional<String> add(Remembered job) {
    begin();
    JobView view = job.view();
    return table.add(new NewJob(view.id(), view.kind(), view.realm(), JSON.writeValueAsString(job)));
  }

  @Override
  public boolean note(Remembered job) {
    return table.note(job.view().id(), JSON.writeValueAsString(job));
  }

  @Override
  public void end(Remembered job) {
    table.end(job.view().id(), JSON.writeValueAsString(job), Jobs.MOST_ENDED);
  }

  @Override
  public boolean cancel(String id) {
    return table.cancel(id);
  }

  @Override
  public List<Remembered> all() {
    begin();
    return table.all().stream().flatMap(JobsInDatabase::remembered).toList();
  }

  private static Stream<Remembered> remembered(JobTable.Job job) {
    try {
      Remembered read = JSON.readValue(job.content(), Remembered.class);
      return Stream.of(job.isLost() ? read.interrupted() : read);
    } catch (JacksonException | NullPointerException e) {
      LOG.warn("A job in the database cannot be read, and is not shown: {}", e.toString());
      return Stream.of();
    }
  }
}
