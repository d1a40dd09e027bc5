package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.controls.PasswordExpiredControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10WarningType;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import java.util.Arrays;
import java.util.Optional;

/**
 * The meaning of a directory's response to a bind as a person: result code (RFC 4511, section 4.2.2), password policy control
 * (draft-behera-ldap-password-policy-10, section 6.2), Netscape's controls of the same meaning and Active Directory's errors
 * ({@link ActiveDirectoryError}).
 */
sealed interface BindVerdict {

  record Right() implements BindVerdict {}

  /**
   * The password is right and must be changed.
   *
   * @param bound whether the directory accepted the bind for the change; it may refuse even that without a grace login
   */
  record MustChange(boolean expired, boolean bound) implements BindVerdict {}

  record Wrong(RefusedReason reason) implements BindVerdict {}

  /** Binds and interprets the response; throws if there was none, or if it is not about this person. */
  static BindVerdict of(LDAPConnection connection, String dn, Password password) throws LDAPException {
    byte[] secret = password.utf8().clone();
    LDAPResult result;
    try {
      result =
          connection.bind(new SimpleBindRequest(dn, secret, new DraftBeheraLDAPPasswordPolicy10RequestControl(false)));
    } catch (LDAPException e) {
      result = e.toLDAPResult();
      if (!isAboutThePerson(result.getResultCode())) {
        throw e;
      }
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
    return verdict(result);
  }

  private static boolean isAboutThePerson(ResultCode code) {
    return code.equals(ResultCode.INVALID_CREDENTIALS)
        || code.equals(ResultCode.NO_SUCH_OBJECT)
        || code.equals(ResultCode.INAPPROPRIATE_AUTHENTICATION)
        || code.equals(ResultCode.CONSTRAINT_VIOLATION)
        || code.equals(ResultCode.UNWILLING_TO_PERFORM)
        || code.equals(ResultCode.INVALID_DN_SYNTAX);
  }

  private static BindVerdict verdict(LDAPResult result) throws LDAPException {
    boolean success = result.getResultCode().equals(ResultCode.SUCCESS);
    Optional<DraftBeheraLDAPPasswordPolicy10ResponseControl> policy =
        Optional.ofNullable(DraftBeheraLDAPPasswordPolicy10ResponseControl.get(result));
    Optional<DraftBeheraLDAPPasswordPolicy10ErrorType> error = policy.map(p -> p.getErrorType());
    boolean grace =
        policy.map(p -> p.getWarningType()).filter(DraftBeheraLDAPPasswordPolicy10WarningType.GRACE_LOGINS_REMAINING::equals)
            .isPresent();
    boolean expired =
        error.filter(DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_EXPIRED::equals).isPresent()
            || result.getResponseControl(PasswordExpiredControl.PASSWORD_EXPIRED_OID) != null;
    if (error.filter(DraftBeheraLDAPPasswordPolicy10ErrorType.CHANGE_AFTER_RESET::equals).isPresent() && success) {
      return new MustChange(false, true);
    }
    if (expired || (success && grace)) {
      // Directories check the age of a password only after the password itself, so a refusal with this error means it is right.
      return new MustChange(true, success);
    }
    if (success) {
      return new Right();
    }
    Optional<BindVerdict> active =
        Optional.ofNullable(result.getDiagnosticMessage())
            .filter(message -> result.getResultCode().equals(ResultCode.INVALID_CREDENTIALS))
            .flatMap(ActiveDirectoryError::verdict);
    if (active.isPresent()) {
      return active.get();
    }
    boolean locked =
        error.filter(DraftBeheraLDAPPasswordPolicy10ErrorType.ACCOUNT_LOCKED::equals).isPresent()
            || result.getResultCode().equals(ResultCode.CONSTRAINT_VIOLATION)
            || result.getResultCode().equals(ResultCode.UNWILLING_TO_PERFORM);
    return new Wrong(locked ? RefusedReason.LOCKED : RefusedReason.WRONG_PASSWORD);
  }
}
