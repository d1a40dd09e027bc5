package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import dev.gatehouse.common.directory.PasswordChange.Fault;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Password Modify operation (RFC 3062) with the password policy control. Active Directory does not have the operation: there a
 * change of {@code unicodePwd} replaces it.
 */
final class PasswordModify {

  private final boolean activeDirectory;

  PasswordModify(boolean activeDirectory) {
    this.activeDirectory = activeDirectory;
  }

  /** The result of the operation. */
  sealed interface Outcome {
    record Done() implements Outcome {}

    record WrongOld() implements Outcome {}

    /** The old password is right but expired, and the directory refuses the bind even for the change. */
    record NotBound() implements Outcome {}

    record Fault(PasswordChange.Fault fault, String why) implements Outcome {}

    /** The response was lost: the change may have happened, so it is not tried again. */
    record Unknown(String why) implements Outcome {}
  }

  /** Binds with the old password and changes it on the same connection, which the directory may allow nothing else. */
  Outcome asThePerson(LDAPConnection connection, String dn, Password old, Password replacement) throws LDAPException {
    return switch (BindVerdict.of(connection, dn, old)) {
      case BindVerdict.Wrong _ -> new Outcome.WrongOld();
      case BindVerdict.Right() -> change(connection, dn, old, replacement);
      case BindVerdict.MustChange(_, boolean bound) ->
          bound ? change(connection, dn, old, replacement) : new Outcome.NotBound();
    };
  }

  /**
   * Changes a password that has just been verified but is expired without a grace login, with the service account's rights, if it
   * has any. The old password is sent too and verified again.
   */
  Outcome asTheService(LDAPConnection connection, String dn, Password old, Password replacement) {
    return activeDirectory
        ? UnicodePasswordModify.modify(connection, dn, old, replacement)
        : modify(connection, dn, old, replacement);
  }

  /** Sets a password without the old one, with the service account's rights (RFC 3062, section 2). */
  Outcome resetAsTheService(LDAPConnection connection, String dn, Password replacement) {
    return activeDirectory
        ? UnicodePasswordModify.replace(connection, dn, replacement)
        : modified(connection, new PasswordModifyExtendedRequest(dn, (byte[]) null, replacement.utf8(), policyControl()));
  }

  private Outcome change(LDAPConnection connection, String dn, Password old, Password replacement) {
    return activeDirectory
        ? UnicodePasswordModify.modify(connection, dn, old, replacement)
        : modify(connection, null, old, replacement);
  }

  private static Outcome modify(LDAPConnection connection, @Nullable String dn, Password old, Password replacement) {
    return modified(connection, new PasswordModifyExtendedRequest(dn, old.utf8(), replacement.utf8(), policyControl()));
  }

  private static Control[] policyControl() {
    return new Control[] {new DraftBeheraLDAPPasswordPolicy10RequestControl(false)};
  }

  private static Outcome modified(LDAPConnection connection, PasswordModifyExtendedRequest request) {
    try {
      ExtendedResult result = connection.processExtendedOperation(request);
      return outcome(result);
    } catch (LDAPException e) {
      connection.close();
      return new Outcome.Unknown("password modify: " + e.getResultCode().getName());
    }
  }

  private static Outcome outcome(ExtendedResult result) throws LDAPException {
    if (result.getResultCode().equals(ResultCode.SUCCESS)) {
      return new Outcome.Done();
    }
    Optional<DraftBeheraLDAPPasswordPolicy10ErrorType> error =
        Optional.ofNullable(DraftBeheraLDAPPasswordPolicy10ResponseControl.get(result)).map(c -> c.getErrorType());
    Optional<Fault> fault = error.flatMap(PasswordModify::fault).or(() -> fault(result.getResultCode()));
    String why = result.getDiagnosticMessage() == null ? "" : result.getDiagnosticMessage();
    return fault
        .<Outcome>map(f -> new Outcome.Fault(f, why))
        .orElseGet(() -> new Outcome.Unknown("password modify: " + result.getResultCode().getName()));
  }

  private static Optional<Fault> fault(DraftBeheraLDAPPasswordPolicy10ErrorType error) {
    return Optional.ofNullable(
        switch (error) {
          case PASSWORD_TOO_SHORT -> Fault.TOO_SHORT;
          case INSUFFICIENT_PASSWORD_QUALITY -> Fault.TOO_WEAK;
          case PASSWORD_IN_HISTORY -> Fault.IN_HISTORY;
          case PASSWORD_TOO_YOUNG -> Fault.TOO_YOUNG;
          case PASSWORD_MOD_NOT_ALLOWED -> Fault.NOT_ALLOWED;
          case MUST_SUPPLY_OLD_PASSWORD, PASSWORD_EXPIRED, ACCOUNT_LOCKED, CHANGE_AFTER_RESET -> null;
        });
  }

  private static Optional<Fault> fault(ResultCode code) {
    if (code.equals(ResultCode.CONSTRAINT_VIOLATION) || code.equals(ResultCode.INVALID_ATTRIBUTE_SYNTAX)) {
      return Optional.of(Fault.OTHER);
    }
    boolean notAllowed =
        code.equals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS)
            || code.equals(ResultCode.UNWILLING_TO_PERFORM)
            || code.equals(ResultCode.STRONG_AUTH_REQUIRED);
    return notAllowed ? Optional.of(Fault.NOT_ALLOWED) : Optional.empty();
  }
}
