package dev.gatehouse.idp.authn;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;

/**
 * Is notified that a person changed their password: access that somebody else may have gained with the old one ends.
 */
@FunctionalInterface
public interface PasswordNotice {
  /** @param context has the realm */
  void changed(AuditEvent.Context context, PersonId person);
}
