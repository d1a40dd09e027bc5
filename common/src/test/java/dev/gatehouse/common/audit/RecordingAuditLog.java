package dev.gatehouse.common.audit;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An audit log in memory for tests; it can be made to fail. */
public final class RecordingAuditLog implements AuditLog {

  private final List<AuditEvent> events = new CopyOnWriteArrayList<>();
  private volatile boolean broken;

  @Override
  public void record(AuditEvent event) {
    if (broken) {
      throw new AuditUnavailable("The test broke the audit log", new IOException("No space left on device"));
    }
    events.add(event);
  }

  /** Makes every record fail from now on, or with false succeed again. */
  public void breakDown(boolean broken) {
    this.broken = broken;
  }

  /** Returns all events so far, the oldest first. */
  public List<AuditEvent> events() {
    return List.copyOf(events);
  }

  /** Returns the events of one kind so far, the oldest first. */
  public <E extends AuditEvent> List<E> events(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  public void clear() {
    events.clear();
  }
}
