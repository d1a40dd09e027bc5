package dev.gatehouse.idp.saml.nameid;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.federation.PersistentNameId;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.nameid.NameIdParty;
import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.common.nameid.ManageNameIdSender;
import dev.gatehouse.common.nameid.ManageNameIdSender.Browser;
import dev.gatehouse.common.nameid.ManageNameIdSender.Sending;
import dev.gatehouse.common.nameid.PendingNameIdChange;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.saml.SpPartners;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Changes persistent NameIDs that we issued (SAML Core 3.6.3). A service provider tells us its own name for the person,
 * or terminates the NameID; the person or an administrator terminates or replaces it.
 *
 * <p>A terminated NameID is never used again, and the next login creates another one if the service provider allows it.
 * Terminating does not end sessions: the person is still logged in here, and a later logout must still be sent to the
 * service provider, under the NameID by which it knows the session. A service provider ends its own sessions (as ours
 * does).
 */
public final class NameIdChanges {

  private final PersistentNameIds nameIds;
  private final ManageNameIdSender sending;
  private final IdpParty parties;
  private final AuditLog audit;
  private final RandomGenerator random;

  public NameIdChanges(
      PersistentNameIds nameIds,
      ManageNameIdSender sending,
      KeyRings keys,
      SpPartners partners,
      AuditLog audit,
      RandomGenerator random) {
    this.nameIds = nameIds;
    this.sending = sending;
    this.parties = new IdpParty(keys, partners);
    this.audit = audit;
    this.random = random;
  }

  NameIdParty party(Realm realm, IdpConfig idp) {
    return parties.of(realm, idp);
  }

  /**
   * Performs the change that a service provider requested.
   *
   * @return the refusal if it cannot be performed
   */
  Optional<ManageNameIdReceiver.ManageNameIdOutcome.Declined> carryOut(
      AuditEvent.Context context, Received<ManageNameIdRequest> received) {
    ManageNameIdRequest message = received.message();
    String realm = context.realm();
    String value = message.nameId().value();
    Optional<PersistentNameId> changed =
        switch (message.change()) {
          case Change.Terminate() -> nameIds.terminate(realm, message.issuer(), value);
          case Change.NewId(String id) -> nameIds.provide(realm, message.issuer(), value, Optional.of(id));
        };
    changed.ifPresent(name -> record(context, name, word(message.change()), "partner"));
    return changed.isPresent() ? Optional.empty() : Optional.of(ManageNameIdReceiver.unknown(received));
  }

  /**
   * Terminates a NameID and notifies the service provider. The NameID has ended here even if the notification fails.
   *
   * @param by {@code person} or {@code administrator}
   */
  public Sending terminate(
      AuditEvent.Context context,
      Realm realm,
      IdpConfig idp,
      PersistentNameId name,
      String by,
      Optional<Browser> browser) {
    if (nameIds.terminate(realm.name(), name.partner(), name.value()).isEmpty()) {
      return new Sending.NotDelivered("it had ended before");
    }
    record(context, name, "terminated", by);
    return send(realm, idp, name, new Change.Terminate(), browser);
  }

  /**
   * Replaces a NameID by a new one, after the service provider has accepted it: otherwise it would not recognize the
   * person.
   *
   * @param by {@code person} or {@code administrator}
   */
  public Sending renew(
      AuditEvent.Context context,
      Realm realm,
      IdpConfig idp,
      PersistentNameId name,
      String by,
      Optional<Browser> browser) {
    Change.NewId change = new Change.NewId(SamlIds.create(random));
    Sending sent = send(realm, idp, name, change, browser);
    if (sent instanceof Sending.Answered(SamlStatus status) && status.isSuccess()) {
      replace(context, name.partner(), name.value(), change.value(), by);
    }
    return sent;
  }

  /** Handles the service provider's answer to a message that a browser carried. */
  void answered(AuditEvent.Context context, PendingNameIdChange sent, SamlStatus status) {
    if (status.isSuccess() && sent.change() instanceof Change.NewId(String value)) {
      replace(context, sent.partner(), sent.nameId(), value, "person");
    }
  }

  private void replace(AuditEvent.Context context, String partner, String old, String value, String by) {
    nameIds
        .change(context.realm(), partner, old, () -> value)
        .ifPresent(name -> record(context, name, "changed", by));
  }

  private Sending send(Realm realm, IdpConfig idp, PersistentNameId name, Change change, Optional<Browser> browser) {
    NameIdParty self = parties.of(realm, idp);
    NameId nameId = self.nameId(name.partner(), name.value(), name.spProvidedId());
    return sending.send(self, name.partner(), nameId, change, browser);
  }

  private void record(AuditEvent.Context context, PersistentNameId name, String change, String by) {
    audit.record(new AuditEvent.FederationChanged(context, name.partner(), name.person().value(), change, by));
  }

  private static String word(Change change) {
    return switch (change) {
      case Change.Terminate() -> "terminated";
      case Change.NewId newId -> "provided";
    };
  }
}
