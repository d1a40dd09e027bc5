package dev.gatehouse.common.directory;

import dev.gatehouse.common.directory.Authentication.RefusedReason;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the cause that Active Directory adds to the result code invalidCredentials of a bind: a Win32 error in hexadecimal after
 * {@code data} in the diagnostic message ([MS-ERREF], section 2.2), as in {@code 80090308: LdapErr: DSID-0C09056D, comment:
 * AcceptSecurityContext error, data 52e, v4563}. All but the first two errors occur only if the password is right.
 */
final class ActiveDirectoryError {

  private static final Pattern DATA = Pattern.compile("AcceptSecurityContext error, data ([0-9a-fA-F]{1,8})(?![0-9a-fA-F])");

  private ActiveDirectoryError() {}

  /** Returns the verdict; empty if the message is not from Active Directory or is about another error. */
  static Optional<BindVerdict> verdict(String diagnosticMessage) {
    Matcher data = DATA.matcher(diagnosticMessage);
    return data.find() ? verdict(Integer.parseUnsignedInt(data.group(1), 16)) : Optional.empty();
  }

  private static Optional<BindVerdict> verdict(int error) {
    return switch (error) {
      case 0x525 -> wrong(RefusedReason.UNKNOWN_NAME);
      case 0x52e -> wrong(RefusedReason.WRONG_PASSWORD);
      // Not allowed at this hour (530) or from this machine (531).
      case 0x530, 0x531 -> wrong(RefusedReason.NOT_NOW);
      case 0x532 -> Optional.of(new BindVerdict.MustChange(true, false));
      case 0x533 -> wrong(RefusedReason.DISABLED);
      case 0x701 -> wrong(RefusedReason.ACCOUNT_EXPIRED);
      case 0x773 -> Optional.of(new BindVerdict.MustChange(false, false));
      case 0x775 -> wrong(RefusedReason.LOCKED);
      default -> Optional.empty();
    };
  }

  private static Optional<BindVerdict> wrong(RefusedReason reason) {
    return Optional.of(new BindVerdict.Wrong(reason));
  }
}
