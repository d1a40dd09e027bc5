package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchResultEntry;
import dev.gatehouse.common.stringprep.StringPreparation;
import java.util.Arrays;

/**
 * Checks that a value that found an entry also equals one of its values by our rules. Active Directory ignores accents: {@code
 * ceo@cörp.example} from a provider that owns that domain would find {@code ceo@corp.example}. We ignore case, spaces and
 * hyphens (which the rules of numbers ignore too, RFC 4518, section 2.6), and the spelling of DNs.
 */
final class SameValue {

  private SameValue() {}

  static boolean isIn(SearchResultEntry entry, String attribute, String value) {
    IdAttribute id = new IdAttribute(attribute);
    if (id.isGuid()) {
      return id.of(entry).filter(theirs -> theirs.value().equalsIgnoreCase(value)).isPresent();
    }
    String[] values = entry.getAttributeValues(attribute);
    return values != null && Arrays.stream(values).anyMatch(theirs -> isSame(theirs, value));
  }

  private static boolean isSame(String theirs, String value) {
    return theirs.equals(value) || loose(theirs).equals(loose(value)) || isSameDn(theirs, value);
  }

  private static String loose(String value) {
    return StringPreparation.compared(value).replaceAll("[ -]", "");
  }

  static boolean isSameDn(String theirs, String value) {
    if (theirs.indexOf('=') < 0 || value.indexOf('=') < 0 || !isAscii(theirs) || !isAscii(value)) {
      return false;
    }
    try {
      return DN.equals(theirs, value);
    } catch (LDAPException e) {
      return false;
    }
  }

  private static boolean isAscii(String value) {
    return value.chars().allMatch(c -> c < 0x80);
  }
}
