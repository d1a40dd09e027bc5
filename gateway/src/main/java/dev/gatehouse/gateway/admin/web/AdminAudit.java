package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
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
    Optional<AdminRights> rights = AdminRights.ofCurrentRequest();
    rights.flatMap(held -> held.highest(realm)).ifPresent(role -> all.put("role", role.word()));
    rights.flatMap(AdminRights::login).ifPresent(login -> all.put("administratorId", login.person().value()));
    log.record(new AuditEvent.Administered(context, administrator, action, Map.copyOf(all)));
  }

  /** The client address of the request that this thread serves. */
  private static String caller() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        ? AdminKeyFilter.client(request.getRequest()).getHostAddress()
        : "-";
  }
}
