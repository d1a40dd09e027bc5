package dev.gatehouse.common.revision;

import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.realm.yaml.FileTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores each content of the configuration files that came into use as a revision. The files decide what is in use, so a database
 * that cannot be written prevents nothing: what is in use then is stored with the next change, or at the next start.
 */
public final class RevisionRecorder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RevisionRecorder.class);
  private static final String REASON = "The files were read";

  private final RevisionStore store;
  private final Thread first;
  private volatile boolean closed;

  /** Records what is in use now, in the background since nobody waits for it, and every later change before it is reported. */
  public RevisionRecorder(RealmsInUse realms, RevisionStore store) {
    this.store = store;
    this.first = Thread.ofPlatform().daemon().name("first-revision").start(() -> realms.onFiles(this::record));
  }

  private void record(FileTree tree) {
    if (closed) {
      return;
    }
    try {
      store.useFiles();
      store
          .add(tree, Revision.FILES, REASON)
          .ifPresent(revision -> log.info("The configuration is revision {}", revision.number()));
    } catch (RuntimeException e) {
      log.warn("The configuration in use was not stored as a revision; that is tried again with the next change", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      first.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
