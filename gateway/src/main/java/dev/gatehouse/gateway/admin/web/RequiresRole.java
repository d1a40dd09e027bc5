package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.key.AdministratorRole;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The least role of administrators for an operation. It is needed in the realm that the operation names by a path variable or
 * parameter {@code realm}; for an operation without one, in all realms. {@link RoleInterceptor} refuses operations without this annotation.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RequiresRole {

  /** Returns the least role. */
  AdministratorRole value();

  /**
   * Returns whether the role in any one realm is enough to call the operation, because the operation itself checks the realm of each
   * thing that it shows or changes, by {@link AdminRights}.
   */
  boolean checksRealms() default false;

  /**
   * Returns whether the operation is dangerous, so that a person must have logged in within {@link LoginTooOld#MAX_AGE}; an administrator
   * key needs nothing more.
   */
  boolean recentLogin() default false;
}
