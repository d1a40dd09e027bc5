package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import dev.gatehouse.common.directory.PasswordChange.Fault;
import dev.gatehouse.common.directory.PasswordModify.Outcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Changes a password in Active Directory ([MS-ADTS], section 3.1.1.3.1.5): deletes the old value of {@code unicodePwd} and adds
 * the new one, each in quotation marks and UTF-16LE. Works over TLS only. The old value proves the right, whichever identity is bound.
 */
final class UnicodePasswordModify {

  /** ERROR_INVALID_PASSWORD. */
  private static final String WRONG_OLD = "00000056:";

  private static final String ATTRIBUTE = "unicodePwd";

  private UnicodePasswordModify() {}

  static Outcome modify(LDAPConnection connection, String dn, Password old, Password replacement) {
    byte[] before = quoted(old);
    byte[] after = quoted(replacement);
    try {
      return modify(
          connection,
          dn,
          List.of(
              new Modification(ModificationType.DELETE, ATTRIBUTE, before),
              new Modification(ModificationType.ADD, ATTRIBUTE, after)));
    } finally {
      Arrays.fill(before, (byte) 0);
      Arrays.fill(after, (byte) 0);
    }
  }

  /** Replaces the value, whatever it was, for which the bound identity needs the right to reset passwords. */
  static Outcome replace(LDAPConnection connection, String dn, Password replacement) {
    byte[] after = quoted(replacement);
    try {
      return modify(connection, dn, List.of(new Modification(ModificationType.REPLACE, ATTRIBUTE, after)));
    } finally {
      Arrays.fill(after, (byte) 0);
    }
  }

  private static Outcome modify(LDAPConnection connection, String dn, List<Modification> changes) {
    try {
      connection.modify(new ModifyRequest(dn, changes));
      return new Outcome.Done();
    } catch (LDAPException e) {
      return outcome(connection, e);
    }
  }

  private static Outcome outcome(LDAPConnection connection, LDAPException refused) {
    LDAPResult result = refused.toLDAPResult();
    ResultCode code = result.getResultCode();
    String why = result.getDiagnosticMessage() == null ? "" : result.getDiagnosticMessage();
    if (code.equals(ResultCode.CONSTRAINT_VIOLATION)) {
      return why.startsWith(WRONG_OLD) ? new Outcome.WrongOld() : new Outcome.Fault(Fault.OTHER, "");
    }
    if (code.equals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS)
        || code.equals(ResultCode.UNWILLING_TO_PERFORM)
        || code.equals(ResultCode.CONFIDENTIALITY_REQUIRED)) {
      return new Outcome.Fault(Fault.NOT_ALLOWED, "");
    }
    connection.close();
    return new Outcome.Unknown("change of unicodePwd: " + code.getName());
  }

  private static byte[] quoted(Password password) {
    CharBuffer text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(password.utf8()));
    byte[] bytes = new byte[2 * (text.length() + 2)];
    ByteBuffer quoted = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putChar('"');
    while (text.hasRemaining()) {
      quoted.putChar(text.get());
    }
    quoted.putChar('"');
    return bytes;
  }
}
