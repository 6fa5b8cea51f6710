# Name:       Student 2
# Student ID: 1155000002
# E-mail:     student-02@example.org
# Assignment 4: class KnightsTour

import sys


class KnightsTour:

    N = 6

    def __init__(self, x, y):
        # set all elements to False except the initial position
        self.board = []
        for i in range(KnightsTour.N):
            row = []
            for j in range(KnightsTour.N):
                row.append(False)
            self.board.append(row)
        self.board[x][y] = True
        self.posX = x
        self.posY = y

    def print(self):
        out = sys.stdout
        out.write(" ")
        for j in range(KnightsTour.N):
            out.write(" %d" % j)
        out.write("\n")
        for i in range(KnightsTour.N):
            out.write("%d" % i)
            for j in range(KnightsTour.N):
                if i == self.posX and j == self.posY:
                    out.write(" K")
                elif self.board[i][j]:
                    out.write(" O")
                else:
                    out.write(" .")
            out.write("\n")

    def isValid(self, fromX, fromY, toX, toY):
        # (a) proper position
        if toX < 0 or toX >= KnightsTour.N or toY < 0 or toY >= KnightsTour.N:
            return False
        # (b) moves like the letter L
        dx = abs(toX - fromX)
        dy = abs(toY - fromY)
        if not ((dx == 1 and dy == 2) or (dx == 2 and dy == 1)):
            return False
        # (c) unvisited
        return not self.board[toX][toY]

    def countMoves(self, x, y):
        count = 0
        for i in range(KnightsTour.N):
            for j in range(KnightsTour.N):
                if self.isValid(x, y, i, j):
                    count += 1
        return count

    def hasMoreMoves(self):
        return self.countMoves(self.posX, self.posY) > 0

    def isSolved(self):
        for i in range(KnightsTour.N):
            for j in range(KnightsTour.N):
                if not self.board[i][j]:
                    return False
        return True

    def move(self, x, y):
        if self.isValid(self.posX, self.posY, x, y):
            self.posX = x
            self.posY = y
            self.board[x][y] = True
            return True
        else:
            return False

    def lookAhead(self):
        fewest = 100
        result = None
        for i in range(KnightsTour.N):
            for j in range(KnightsTour.N):
                if self.isValid(self.posX, self.posY, i, j):
                    if self.countMoves(i, j) < fewest:
                        fewest = self.countMoves(i, j)
                        result = (i, j)
        return result
