package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.session.SessionId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Sessions of administrators in the memory of this node. */
final class AdminSessionsInMemory {

  private final Map<SessionId, AdminSession> sessions = new HashMap<>();

  synchronized void add(AdminSession session) {
    sessions.values().removeIf(other -> isOver(other, session.createdAt()));
    sessions.put(session.id(), session);
  }

  /** Returns the sessions of that administrator. */
  synchronized List<AdminSession> of(String owner) {
    return sessions.values().stream().filter(session -> session.holder().owner().equals(owner)).toList();
  }

  /** Changes the session and returns the result; empty if it is not here, or is over. */
  synchronized Optional<AdminSession> update(SessionId id, Instant now, UnaryOperator<AdminSession> change) {
    return Optional.ofNullable(sessions.computeIfPresent(id, (same, session) -> isOver(session, now) ? null : change.apply(session)));
  }

  synchronized Optional<AdminSession> end(SessionId id) {
    return Optional.ofNullable(sessions.remove(id));
  }

  synchronized int count() {
    return sessions.size();
  }

  private static boolean isOver(AdminSession session, Instant now) {
    return !now.isBefore(session.expiresAt());
  }
}
