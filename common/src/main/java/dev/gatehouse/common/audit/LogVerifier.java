package dev.gatehouse.common.audit;

import java.io.IOException;

/** Verifies this node's audit log and its archive, with the node's own keys, while the node writes it. */
@FunctionalInterface
public interface LogVerifier {

  /** @param progress learns how much was read; may throw to end the run */
  AuditReport verify(AuditVerification.Progress progress) throws IOException;
}
