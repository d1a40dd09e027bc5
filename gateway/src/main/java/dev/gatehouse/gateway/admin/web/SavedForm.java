package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.http.Parameters.Parameter;
import java.util.List;

/**
 * A form of the console that waits until the person has logged in again.
 *
 * @param action the path that it is sent to
 * @param fields without the {@code csrf} field of the session in which it was sent
 */
public record SavedForm(String action, List<Parameter> fields) {

  public SavedForm {
    fields = List.copyOf(fields);
  }

  /** Contains no values, because they may be secret. */
  @Override
  public String toString() {
    return "SavedForm[" + action + "]";
  }
}
