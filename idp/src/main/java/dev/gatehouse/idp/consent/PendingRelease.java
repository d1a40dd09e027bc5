package dev.gatehouse.idp.consent;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.metadata.UiInfo;
import dev.gatehouse.idp.authn.PartnerLinks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A release of attributes to a partner that waits for the person's consent.
 *
 * @param key names the sign-on in addresses
 * @param partner entity ID or another identifier, under which the consent is stored
 * @param displayName the partner's name for people
 * @param ui the description of the partner in its metadata
 * @param links the links that an OAuth client gives for itself
 * @param person the person who is logged in at this browser and whose attributes these are
 * @param items all items that would be released
 * @param missing names of attributes that the partner requires but would not get
 * @param uiLocales the partner's preferred languages for the question
 * @param resume path on this origin that continues the sign-on
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
   * @param name for machines; the consent is stored under it
   * @param label for people
   * @param texts its values; not named "values", because a template would take that for the values of the map
   * @param words key of a message that describes it better, {@code consent.item.WORDS}, with the label as its parameter
   */
  public record Item(String name, String label, Optional<String> words, List<String> texts) {
    /** An attribute that people know by its label. */
    public Item(String name, String label, List<String> texts) {
      this(name, label, Optional.empty(), texts);
    }
  }

  /** The attribute names that the consent covers. */
  public Set<String> names() {
    TreeSet<String> names = new TreeSet<>();
    items.forEach(item -> names.add(item.name()));
    return names;
  }
}
