package dev.gatehouse.sp.nameid;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.AccountLinks.Linking;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.nameid.NameIdParty;
import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.common.nameid.ManageNameIdReceiver.ManageNameIdOutcome.Declined;
import dev.gatehouse.common.nameid.ManageNameIdSender;
import dev.gatehouse.common.nameid.ManageNameIdSender.Browser;
import dev.gatehouse.common.nameid.ManageNameIdSender.Sending;
import dev.gatehouse.common.nameid.PendingNameIdChange;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Changes links (SAML Core 3.6.3). An identity provider gives its name for the person another value or terminates it;
 * the person or an administrator removes the link, or sends the identity provider the name that the person has here.
 *
 * <p>Sessions that were opened with the name, or with a former one of the same link, end together with it, whoever ended
 * it: they depend on a link that no longer exists, and a local account must not stay open through it.
 */
public final class LinkChanges {

  private final AccountLinks links;
  private final AppSessions sessions;
  private final ManageNameIdSender sending;
  private final SpParty parties;
  private final AuditLog audit;

  public LinkChanges(
      AccountLinks links,
      AppSessions sessions,
      ManageNameIdSender sending,
      KeyRings keys,
      PartnerRegistry partners,
      AuditLog audit) {
    this.links = links;
    this.sessions = sessions;
    this.sending = sending;
    this.parties = new SpParty(keys, partners);
    this.audit = audit;
  }

  NameIdParty party(Realm realm, SpConfig sp) {
    return parties.of(realm, sp);
  }

  /**
   * Performs the change that an identity provider requested.
   *
   * @return the refusal if it cannot be performed
   */
  Optional<Declined> carryOut(AuditEvent.Context context, Received<ManageNameIdRequest> received) {
    ManageNameIdRequest message = received.message();
    String value = message.nameId().value();
    return switch (message.change()) {
      case Change.Terminate() -> terminated(context, received);
      case Change.NewId(String newValue) ->
          switch (links.change(context.realm(), message.issuer(), value, newValue)) {
            case Linking.Linked(AccountLink link, boolean isNew) -> {
              record(context, link, "changed", "partner");
              yield Optional.empty();
            }
            case Linking.NameTaken(), Linking.AccountTaken(_) -> Optional.of(ManageNameIdReceiver.taken(received));
            case Linking.Unknown() -> Optional.of(ManageNameIdReceiver.unknown(received));
          };
    };
  }

  /** A name may have opened sessions without being linked. */
  private Optional<Declined> terminated(AuditEvent.Context context, Received<ManageNameIdRequest> received) {
    String issuer = received.message().issuer();
    String value = received.message().nameId().value();
    Optional<AccountLink> link = links.unlink(context.realm(), issuer, value);
    link.ifPresent(ended -> record(context, ended, "terminated", "partner"));
    int ended = endSessions(context, issuer, value, link.map(AccountLink::account));
    return link.isPresent() || ended > 0 ? Optional.empty() : Optional.of(ManageNameIdReceiver.unknown(received));
  }

  /**
   * Removes a link, ends the sessions that depend on it, and notifies the identity provider. The link has ended here
   * even if the notification fails.
   *
   * @param by {@code person} or {@code administrator}
   * @param browser a browser that can carry the message if the identity provider has no SOAP endpoint: one that has
   *     just sent one of our forms
   */
  public Sending disconnect(
      AuditEvent.Context context, Realm realm, SpConfig sp, AccountLink link, String by, Optional<Browser> browser) {
    Optional<AccountLink> removed = links.unlink(realm.name(), link.identityProvider(), link.nameId());
    endSessions(context, link.identityProvider(), link.nameId(), removed.map(AccountLink::account));
    if (removed.isEmpty()) {
      return new Sending.NotDelivered("it had ended before");
    }
    record(context, removed.get(), "terminated", by);
    return send(realm, sp, removed.get(), new Change.Terminate(), browser);
  }

  /**
   * Sends the identity provider the name that the person has here. Stores the name after the identity provider has
   * accepted it.
   *
   * @param by {@code person} or {@code administrator}
   */
  public Sending provide(
      AuditEvent.Context context,
      Realm realm,
      SpConfig sp,
      AccountLink link,
      String spProvidedId,
      String by,
      Optional<Browser> browser) {
    Sending sent = send(realm, sp, link, new Change.NewId(spProvidedId), browser);
    if (sent instanceof Sending.Answered(SamlStatus status) && status.isSuccess()) {
      note(context, link.identityProvider(), link.nameId(), spProvidedId, by);
    }
    return sent;
  }

  /** Handles the identity provider's answer to a message that a browser carried. */
  void answered(AuditEvent.Context context, PendingNameIdChange sent, SamlStatus status) {
    if (status.isSuccess() && sent.change() instanceof Change.NewId(String spProvidedId)) {
      note(context, sent.partner(), sent.nameId(), spProvidedId, "person");
    }
  }

  private void note(AuditEvent.Context context, String partner, String nameId, String spProvidedId, String by) {
    links
        .provide(context.realm(), partner, nameId, Optional.of(spProvidedId))
        .ifPresent(link -> record(context, link, "provided", by));
  }

  private Sending send(Realm realm, SpConfig sp, AccountLink link, Change change, Optional<Browser> browser) {
    NameIdParty self = parties.of(realm, sp);
    NameId nameId = self.nameId(link.identityProvider(), link.nameId(), link.spProvidedId());
    return sending.send(self, link.identityProvider(), nameId, change, browser);
  }

  /**
   * Ends the sessions of a name.
   *
   * @param account that was linked to it; sessions of the account may have been opened before the name was changed
   */
  private int endSessions(AuditEvent.Context context, String idp, String value, Optional<PersonId> account) {
    NameId nameId = NameId.of(value, NameId.PERSISTENT);
    Stream<AppSession> named = sessions.named(context.realm(), idp, nameId, List.of()).stream();
    Stream<AppSession> linked = account.stream().flatMap(person -> sessions.ofPerson(context.realm(), person, idp).stream());
    List<SessionId> open = Stream.concat(named, linked).map(AppSession::id).distinct().toList();
    open.forEach(session -> sessions.end(session, "unlinked", context));
    return open.size();
  }

  private void record(AuditEvent.Context context, AccountLink link, String change, String by) {
    audit.record(
        new AuditEvent.FederationChanged(context, link.identityProvider(), link.account().value(), change, by));
  }
}
