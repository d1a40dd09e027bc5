package dev.gatehouse.common.audit;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An audit log that remembers, for tests; it can be made to fail. */
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

  /** From now on, every record is refused (or, with false, written again). */
  public void breakDown(boolean broken) {
    this.broken = broken;
  }

  /** All events so far, oldest first. */
  public List<AuditEvent> events() {
    return List.copyOf(events);
  }

  /** The events of one kind so far, oldest first. */
  public <E extends AuditEvent> List<E> events(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  public void clear() {
    events.clear();
  }
}
