package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.key.AdministratorRole;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Records the actions of administrators, their roles and addresses before they are carried out: an action that cannot be
 * audited is not carried out.
 */
public final class AdminAudit {
  private final AuditLog log;

  public AdminAudit(AuditLog log) {
    this.log = log;
  }

  /**
   * Writes an action to the audit log.
   *
   * @throws dev.gatehouse.common.audit.AuditUnavailable if it cannot be written: then the action must not be carried out
   */
  public void record(String realm, String administrator, String action, Map<String, String> details) {
    AuditEvent.Context context = new AuditEvent.Context(realm, caller(), Optional.empty());
    Map<String, String> all = new TreeMap<>(details);
    role(realm).ifPresent(role -> all.put("role", role.word()));
    log.record(new AuditEvent.Administered(context, administrator, action, Map.copyOf(all)));
  }

  /** Returns the highest role of the administrator in that realm, in the request that this thread serves. */
  private static Optional<AdministratorRole> role(String realm) {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        ? AdminRights.of(request.getRequest()).flatMap(rights -> rights.highest(realm))
        : Optional.empty();
  }

  /** The client address of the request that this thread serves. */
  private static String caller() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        ? AdminKeyFilter.client(request.getRequest()).getHostAddress()
        : "-";
  }
}
