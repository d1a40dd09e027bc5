package dev.gatehouse.sp.link;

import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.PersistentNameId;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.PartnerConfig.Link;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.stringprep.StringPreparation;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.LocalAccount;
import java.util.List;
import java.util.Optional;

/** Determines the local account of an assertion. Changes nothing. */
public final class AccountRules {

  /** The local meaning of an assertion. */
  public sealed interface Resolution {
    /** It means this account. */
    record Known(LocalAccount account) implements Resolution {}

    /** It means this account as soon as the account is linked. */
    record Matched(LocalAccount account) implements Resolution {}

    /** The person must also log in with a local account. */
    record LoginNeeded() implements Resolution {}

    /** It means no account. */
    record Refused(SamlRefusal refusal) implements Resolution {}
  }

  private final AccountLinks links;
  private final Directories directories;
  private final PartnerRegistry partners;

  public AccountRules(AccountLinks links, Directories directories, PartnerRegistry partners) {
    this.links = links;
    this.directories = directories;
    this.partners = partners;
  }

  /**
   * Resolves the account of an asserted identity.
   *
   * @throws DirectoryUnavailable if the directory does not answer
   */
  public Resolution resolve(SpRealm realm, AssertedIdentity asserted) {
    Link rule = IdentityProviders.rules(partners, realm, asserted.identityProvider()).link();
    if (rule instanceof Link.None) {
      return new Resolution.Known(account(realm, asserted));
    }
    if (!isForLinks(realm, asserted)) {
      return refused(Reason.LINK_NAME_ID, "the NameID is no persistent one of this identity provider for us");
    }
    Optional<AccountLink> link =
        links.find(realm.name(), asserted.identityProvider(), asserted.nameId().value());
    if (link.isPresent()) {
      return account(realm, asserted, link.get().account())
          .<Resolution>map(Resolution.Known::new)
          .orElseGet(() -> refused(Reason.LINK_ACCOUNT_GONE, "the linked person is not in the directory any more, or disabled there"));
    }
    return switch (rule) {
      case Link.ByAttribute(String saml, String ours) -> match(realm, asserted, saml, ours);
      case Link.ByLogin byLogin -> new Resolution.LoginNeeded();
      case Link.None none -> new Resolution.Known(account(realm, asserted));
    };
  }

  /** The account of an identity for which the identity provider alone determines the person. */
  public LocalAccount account(SpRealm realm, AssertedIdentity asserted) {
    return asserted.account(realm, ProviderTrust.ofPartner(partners, realm, asserted.identityProvider()));
  }

  /**
   * The account to which a link leads; empty if the directory does not contain the person any more, or says that the account is disabled:
   * no bind asks it.
   */
  private Optional<LocalAccount> account(SpRealm realm, AssertedIdentity asserted, PersonId account) {
    return realm.realm().directory().isPresent()
        ? directories.of(realm.realm()).findStillEnabled(account).map(LocalAccount::of)
        : Optional.of(asserted.named(realm, account.value(), account.value()));
  }

  /** Matches if exactly one local person has the value and the identity provider may assert it. */
  private Resolution match(SpRealm realm, AssertedIdentity asserted, String saml, String ours) {
    List<String> values = asserted.values(saml);
    if (values.size() != 1 || values.getFirst().isBlank() || values.getFirst().chars().anyMatch(Character::isISOControl)) {
      return refused(Reason.LINK_NO_MATCH, values.size() + " values of " + saml + " that count");
    }
    String value = values.getFirst();
    Optional<String> change = StringPreparation.change(value);
    if (change.isPresent()) {
      return refused(Reason.LINK_NO_MATCH, saml + " has a character that directories read as another one: " + change.get());
    }
    if (!mayName(realm, asserted.identityProvider(), value)) {
      return refused(Reason.LINK_NO_MATCH, saml + " is in a domain that the identity provider does not own");
    }
    Optional<DirectoryConfig> directory = realm.realm().directory();
    if (directory.isEmpty()) {
      return matched(realm, asserted, asserted.named(realm, value, value));
    }
    Directory people = directories.of(realm.realm());
    return switch (people.findEnabled(directory.get().people().attributes().getOrDefault(ours, ours), value)) {
      case PersonSearch.One(Person person) -> matched(realm, asserted, LocalAccount.of(person));
      case PersonSearch.None() -> refused(Reason.LINK_NO_MATCH, "nobody has that " + ours);
      case PersonSearch.Several() -> refused(Reason.LINK_NO_MATCH, "several have that " + ours);
    };
  }

  private Resolution matched(SpRealm realm, AssertedIdentity asserted, LocalAccount account) {
    return links.ofAccount(realm.name(), asserted.identityProvider(), account.person()).isPresent()
        ? refused(Reason.LINK_ACCOUNT_TAKEN, "that account is linked to another name of this identity provider")
        : new Resolution.Matched(account);
  }

  /**
   * A value with a domain may only be asserted by the domain's owner. A value without a domain has no owner; the
   * administrator chose to match by it.
   */
  private boolean mayName(SpRealm realm, String identityProvider, String value) {
    int at = value.lastIndexOf('@');
    return at < 0
        || IdentityProviders.scopes(partners, realm, identityProvider)
            .contains(StringPreparation.compared(value.substring(at + 1)));
  }

  /** Returns whether the NameID is persistent and was issued by this identity provider for us (SAML Core 8.3.7). */
  private static boolean isForLinks(SpRealm realm, AssertedIdentity asserted) {
    NameId name = asserted.nameId();
    return name.format().equals(NameIdFormat.PERSISTENT.uri())
        && name.value().length() <= PersistentNameId.MAX_CHARACTERS
        && name.nameQualifier().filter(by -> !by.equals(asserted.identityProvider())).isEmpty()
        && name.spNameQualifier().filter(to -> !to.equals(realm.sp().entityId())).isEmpty();
  }

  private static Resolution refused(Reason reason, String detail) {
    return new Resolution.Refused(new SamlRefusal(reason, detail));
  }
}
