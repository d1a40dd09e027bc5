package dev.gatehouse.sp.link;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.AccountLinks.Linking;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.sp.session.LocalAccount;
import java.util.Optional;

/** Creates account links and records them in the audit log. */
public final class Linker {

  private final AccountLinks links;
  private final AuditLog audit;

  public Linker(AccountLinks links, AuditLog audit) {
    this.links = links;
    this.audit = audit;
  }

  /**
   * Links the identity provider's name of the person to the account.
   *
   * @param by {@code login} if the person proved the account, {@code attribute} if it was matched
   * @return the refusal if another link was created first
   */
  public Optional<SamlRefusal> link(
      AuditEvent.Context context, String identityProvider, String nameId, LocalAccount account, String by) {
    return switch (links.link(context.realm(), identityProvider, nameId, account.person())) {
      case Linking.Linked(var link, boolean isNew) -> {
        if (isNew) {
          audit.record(
              new AuditEvent.FederationChanged(context, identityProvider, account.person().value(), "linked", by));
        }
        yield Optional.empty();
      }
      case Linking.NameTaken() -> refused(Reason.LINK_ACCOUNT_TAKEN, "the name was linked to another account meanwhile");
      case Linking.AccountTaken(var present) ->
          refused(Reason.LINK_ACCOUNT_TAKEN, "that account is linked to another name of this identity provider");
      case Linking.Unknown() -> refused(Reason.LINK_ACCOUNT_GONE, "the person is not in the directory any more");
    };
  }

  private static Optional<SamlRefusal> refused(Reason reason, String detail) {
    return Optional.of(new SamlRefusal(reason, detail));
  }
}
