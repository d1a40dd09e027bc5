package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;

/**
 * Stores links from people of identity providers to local accounts (SAML Profiles 4.5, SAML Technical Overview 5.4). Unique in both
 * directions: in a realm, a NameID of an identity provider leads to at most one account, and an account has at most one NameID of each.
 * The store decides every race. NameIDs are compared exactly. A change is durable once its method has returned. Blocks: call on
 * virtual threads only.
 *
 * <p>{@code idp} is an entity ID everywhere.
 */
public interface AccountLinks {

  /** Returns the link of a NameID that the identity provider asserted. */
  Optional<AccountLink> find(String realm, String idp, String nameId);

  /** Returns the account's link to the identity provider. */
  Optional<AccountLink> ofAccount(String realm, String idp, PersonId account);

  /** Returns all links of an account, ordered by identity provider. */
  List<AccountLink> ofAccount(String realm, PersonId account);

  /** Links the two; of parallel callers with the same name or account, one succeeds. */
  Linking link(String realm, String idp, String nameId, PersonId account);

  /** Links many at once; the results are in the order of the pairs. */
  List<Linking> linkAll(String realm, String idp, List<Pair> pairs);

  /** Gives a link another NameID, as its identity provider requested (SAML Core 3.6.1, NewID of an identity provider). */
  Linking change(String realm, String idp, String nameId, String newNameId);

  /**
   * Records the identifier of the person that we gave to the identity provider, or its removal.
   *
   * @return the link with the identifier; empty if there is no such link
   */
  Optional<AccountLink> provide(String realm, String idp, String nameId, Optional<String> spProvidedId);

  /** Removes the link and returns it to exactly one caller; empty if there is none. */
  Optional<AccountLink> unlink(String realm, String idp, String nameId);

  /**
   * Returns a page of the links to an identity provider, in a stable order.
   *
   * @param after the NameID of the last link of the page before; empty for the first page
   */
  List<AccountLink> page(String realm, String idp, String after, int limit);

  /** A name and the account to which it should lead. */
  record Pair(String nameId, PersonId account) {}

  /** The result of linking. */
  sealed interface Linking {
    /**
     * They are linked.
     *
     * @param isNew false if they were linked before
     */
    record Linked(AccountLink link, boolean isNew) implements Linking {}

    /** The NameID leads to another account. */
    record NameTaken() implements Linking {}

    /** The account has another NameID of this identity provider. */
    record AccountTaken(AccountLink present) implements Linking {}

    /** There is no link to change or, with links in the directory, no such person in it. */
    record Unknown() implements Linking {}
  }
}
