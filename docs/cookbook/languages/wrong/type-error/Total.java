import java.util.Scanner;

public class Total {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        int total = 0;
        while (input.hasNext()) {
            total = total + input.next();
        }
        System.out.println(total);
    }
}
