package dev.gatehouse.common.directory;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A person as the directory describes them now.
 *
 * @param name the login name as the directory spells it, whatever was typed
 * @param attributes our attribute names (DirectoryConfig.attributes) to values, in the directory's order
 * @param groups names of groups
 * @param roles derived from the groups by the realm's mapping
 */
public record Person(
    PersonId id,
    String name,
    String dn,
    Map<String, List<String>> attributes,
    List<String> groups,
    Set<String> roles) {}
