package dev.gatehouse.idp.consent;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.UiInfo;
import dev.gatehouse.idp.authn.PartnerLinks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a partner is to be told, waiting for the person's consent.
 *
 * @param key names the sign-on in addresses
 * @param partner entity ID or the like: what the answer is remembered for
 * @param displayName what people call the partner
 * @param ui how the partner's metadata describe it
 * @param links what an OAuth client says of itself
 * @param person whom it is about: who is logged in at this browser
 * @param items all that would be told
 * @param missing names of what the partner calls required and would not get
 * @param uiLocales languages that the partner would like the question in
 * @param resume path on this origin that goes on with it
 */
public record PendingRelease(
    String key,
    String partner,
    String displayName,
    UiInfo ui,
    PartnerLinks links,
    PersonId person,
    List<Item> items,
    List<String> missing,
    List<String> uiLocales,
    String resume) {

  /**
   * One attribute.
   *
   * @param name for machines; the answer is remembered by it
   * @param label for people
   * @param texts its values; not called so, because a template would take that for the values of the whole
   * @param words names a text that says it better, {@code consent.item.WORDS}, with the label in it
   */
  public record Item(String name, String label, Optional<String> words, List<String> texts) {
    /** One that people know by its label. */
    public Item(String name, String label, List<String> texts) {
      this(name, label, Optional.empty(), texts);
    }
  }

  /** What the answer is about. */
  public Set<String> names() {
    TreeSet<String> names = new TreeSet<>();
    items.forEach(item -> names.add(item.name()));
    return names;
  }
}
