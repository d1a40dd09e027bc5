package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;

/**
 * Who of an identity provider is which local account (SAML Profiles 4.5, SAML Technical Overview 5.4). Unique both ways: in a
 * realm, a NameID of an identity provider leads to one account at most, and an account has one NameID of each at most. The
 * store decides every race. NameIDs are compared exactly. What returned is durable. Blocks: call on virtual threads only.
 *
 * <p>{@code idp} is an entity ID everywhere.
 */
public interface AccountLinks {

  /** The link of a NameID that the identity provider asserted. */
  Optional<AccountLink> find(String realm, String idp, String nameId);

  /** The account's link to the identity provider. */
  Optional<AccountLink> ofAccount(String realm, String idp, PersonId account);

  /** All links of an account, by identity provider. */
  List<AccountLink> ofAccount(String realm, PersonId account);

  /** Links the two; of parallel callers that want the same name or account, one wins. */
  Linking link(String realm, String idp, String nameId, PersonId account);

  /** Links many at once; the answers are in the order of the pairs. */
  List<Linking> linkAll(String realm, String idp, List<Pair> pairs);

  /** Gives a link another NameID, as its identity provider asked (SAML Core 3.6.1, NewID of an identity provider). */
  Linking change(String realm, String idp, String nameId, String newNameId);

  /**
   * Notes what we told the identity provider to call the person, or that it should do so no more.
   *
   * @return with the id; empty where there is no such link
   */
  Optional<AccountLink> provide(String realm, String idp, String nameId, Optional<String> spProvidedId);

  /** Removes the link; what it was, to one caller alone, or empty where there is none. */
  Optional<AccountLink> unlink(String realm, String idp, String nameId);

  /**
   * A page of the links to an identity provider, in an order that stays.
   *
   * @param after the NameID of the last one of the page before; empty for the first page
   */
  List<AccountLink> page(String realm, String idp, String after, int most);

  /** A name and the account that it should lead to. */
  record Pair(String nameId, PersonId account) {}

  /** What became of a wish to link. */
  sealed interface Linking {
    /** They are linked. @param isNew false where they were before */
    record Linked(AccountLink link, boolean isNew) implements Linking {}

    /** The NameID leads to another account. */
    record NameTaken() implements Linking {}

    /** The account has another NameID of this identity provider. */
    record AccountTaken(AccountLink present) implements Linking {}

    /** There is no link to change; or, where links are kept in the directory, no such person in it. */
    record Unknown() implements Linking {}
  }
}
