package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.SearchResultEntry;
import java.util.List;

/** What an entry says of its account where no bind asks the directory: Active Directory's flag, and the lock of a password policy. */
final class AccountState {

  private static final String CONTROL = "userAccountControl";
  private static final String LOCKED = "pwdAccountLockedTime";

  /** The attributes that a search must ask for; the second is an operational one. */
  static final List<String> ATTRIBUTES = List.of(CONTROL, LOCKED);

  /** ADS_UF_ACCOUNTDISABLE. */
  private static final long DISABLED = 2;

  /** A lock that only an administrator ends (draft-behera-ldap-password-policy-10, section 5.3.3); others are about wrong passwords. */
  private static final String FOR_GOOD = "000001010000Z";

  private AccountState() {}

  static boolean isDisabled(SearchResultEntry entry) {
    Long control = entry.getAttributeValueAsLong(CONTROL);
    return control != null && (control & DISABLED) != 0
        || entry.hasAttribute(CONTROL) && control == null
        || FOR_GOOD.equals(entry.getAttributeValue(LOCKED));
  }
}
